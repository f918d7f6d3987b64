// Runs vectors.json on latchkey.hpp, or calls a server as its input says. See run.ts.
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <iostream>

#include "latchkey.hpp"

using latchkey::Text;
using latchkey::detail::Json;
using latchkey::detail::List;
using latchkey::detail::Object;
using latchkey::detail::Parser;

struct MapStore : latchkey::Store {
  std::map<std::string, std::string> texts;
  Text kind;
  void refuse(const std::string& call) const {
    if (kind == call) throw std::runtime_error("The store refuses this.");
  }
  Text get(const std::string& name) override {
    refuse("refusesGet");
    return texts.count(name) ? Text(texts[name]) : std::nullopt;
  }
  void set(const std::string& name, const std::string& text) override {
    refuse("refusesSet");
    texts[name] = text;
  }
  void remove(const std::string& name) override {
    refuse("refusesRemove");
    texts.erase(name);
  }
};

int passed = 0;
std::vector<std::string> failed;

void attempt(const std::string& name, const std::function<void()>& play) {
  try {
    play();
    passed++;
  } catch (const std::exception& reason) {
    failed.push_back("failed: latchkey.hpp, " + name + ": " + reason.what());
  }
}

std::string text(const Json& value) { return value.text().value_or(""); }

double number(const Json& value) {
  return value.as<std::int64_t>() ? double(*value.as<std::int64_t>()) : value.as<double>() ? *value.as<double>() : 0;
}

/** A value as text, for comparing and showing. */
std::string shown(const Json& value) {
  if (const bool* is = value.as<bool>()) return *is ? "true" : "false";
  if (const std::string* words = value.as<std::string>()) return latchkey::detail::quoted(*words);
  if (value.as<std::int64_t>() || value.as<double>()) return std::to_string(number(value));
  std::string all;
  if (const List* values = value.as<List>()) {
    for (const Json& each : *values) all += shown(each) + ",";
    return "[" + all + "]";
  }
  if (const Object* fields = value.as<Object>()) {
    for (const auto& [name, each] : *fields) all += name + ":" + shown(each) + ",";
    return "{" + all + "}";
  }
  return "null";
}

void same(const std::string& what, const Json& actual, const Json& expected) {
  if (shown(actual) != shown(expected)) throw std::runtime_error(what + " is " + shown(actual) + ", not " + shown(expected));
}

Json of(const Text& value) { return value ? Json{*value} : Json{}; }

Json of(const latchkey::Verdict& verdict) {
  static const char* const names[] = {"PLAY", "PLAY_OFFLINE", "REFUSED", "UNKNOWN"};
  Json release;
  if (verdict.release) {
    List devices;
    for (const latchkey::Device& each : verdict.release->devices) {
      devices.push_back({Object{{"ref", {each.ref}},
                                {"name", of(each.name)},
                                {"firstConnected", {each.firstConnected}},
                                {"lastSeen", {each.lastSeen}}}});
    }
    release = {Object{{"isAllowed", {verdict.release->isAllowed}},
                      {"allowedAt", of(verdict.release->allowedAt)},
                      {"devices", {devices}}}};
  }
  return {Object{{"state", {std::string(names[int(verdict.state)])}},
                 {"code", of(verdict.code)},
                 {"message", of(verdict.message)},
                 {"until", verdict.until ? Json{*verdict.until} : Json{}},
                 {"release", release}}};
}

Json of(const latchkey::Released& released) {
  return {Object{{"isReleased", {released.isReleased}},
                 {"code", of(released.code)},
                 {"message", of(released.message)},
                 {"allowedAt", of(released.allowedAt)}}};
}

std::vector<latchkey::Pin> pinsOf(const Json& value) {
  std::vector<latchkey::Pin> pins;
  for (const Json& each : *value.as<List>()) pins.push_back({text(each.at("kid")), text(each.at("publicKey"))});
  return pins;
}

void play(const Json& run, const std::vector<latchkey::Pin>& pins) {
  const auto store = std::make_shared<MapStore>();
  for (const auto& [name, value] : *run.at("stored").as<Object>()) store->texts[name] = text(value);
  store->kind = run.at("store").text();
  const Json* step = &run.at("steps").as<List>()->front();
  double wait = 0;
  List urls;
  std::vector<std::string> bodies;
  std::vector<std::function<void()>> tasks;

  latchkey::Options options;
  for (const Json& each : *run.at("addresses").as<List>()) options.addresses.push_back(text(each));
  options.game = text(run.at("game"));
  options.deviceId = text(run.at("deviceId"));
  options.deviceName = run.at("deviceName").text();
  options.version = run.at("version").text();
  options.lang = run.at("lang").text();
  options.pins = pins;
  options.store = store;
  options.transport = [&](const latchkey::Request& request) {
    const Json& response = step->at("responses").as<List>()->at(urls.size());
    urls.push_back({request.url});
    bodies.push_back(request.body);
    wait += number(response.at("takes"));
    const std::string retry = text(response.at("retryAfter"));
    latchkey::Response result{int(number(response.at("status"))), text(response.at("body")), std::nullopt};
    if (!retry.empty() && retry.find_first_not_of("0123456789") == std::string::npos) result.retryAfter = std::stol(retry);
    return result;
  };
  options.system.now = [&] { return number(step->at("now")) + wait; };
  options.system.uptime = [&] { return number(step->at("uptime")) + wait; };
  options.system.random = [&] { return number(run.at("random")); };
  options.system.randomBytes = [&](std::size_t) { return *latchkey::detail::fromBase64Url(text(step->at("nonce"))); };
  options.system.background = [&](std::function<void()> task) { tasks.push_back(task); };

  auto client = latchkey::open(options);
  int index = 0;
  for (const Json& each : *run.at("steps").as<List>()) {
    const std::string at = "step " + std::to_string(index++);
    step = &each;
    wait = 0;
    urls.clear();
    bodies.clear();
    tasks.clear();
    Json result;
    const std::string what = text(each.at("do"));
    if (what == "open") {
      options.pins = each.has("pins") ? pinsOf(each.at("pins")) : pins;
      client = latchkey::open(options);
    } else if (what == "forget") {
      client->forget();
    } else if (what == "check") {
      result = of(client->check(text(each.at("key"))));
    } else {
      result = of(client->release(text(each.at("ref"))));
    }
    for (const auto& task : tasks) task();
    same(at, result, each.at("expect"));
    same(at + ": the addresses", {urls}, each.has("sends") ? each.at("sends") : Json{List{}});
    for (const std::string& body : bodies) same(at + ": the body", Parser::read(body), each.at("body"));
  }
}

/** A transport for http, which games would write with the library that they have. */
latchkey::Response post(const latchkey::Request& request) {
  const std::size_t start = request.url.find("//") + 2;
  const std::size_t slash = request.url.find('/', start);
  const std::string host = request.url.substr(start, slash - start);
  const std::size_t colon = host.find(':');
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.substr(0, colon).c_str(), host.substr(colon + 1).c_str(), &hints, &found) != 0) return {};
  const int connection = socket(found->ai_family, SOCK_STREAM, 0);
  const int failed = connect(connection, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  std::string answer;
  if (!failed) {
    const std::string sent = "POST " + request.url.substr(slash) + " HTTP/1.1\r\nHost: " + host +
                             "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
                             std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
    if (write(connection, sent.data(), sent.size()) < 0) answer.clear();
    char part[4096];
    for (ssize_t count; (count = read(connection, part, sizeof part)) > 0;) answer.append(part, std::size_t(count));
  }
  close(connection);
  const std::size_t head = answer.find("\r\n\r\n");
  if (head == std::string::npos) return {};
  return {std::stoi(answer.substr(9, 3)), answer.substr(head + 4), std::nullopt};
}

int callServer(const std::vector<std::string>& words) {
  double shift = 0;
  latchkey::Options options;
  options.store = std::make_shared<latchkey::FileStore>(words[2]);
  options.game = words[3];
  options.addresses = {words[4]};
  for (std::size_t at = 5; at < words.size(); at++) {
    const std::size_t colon = words[at].find(':');
    options.pins.push_back({words[at].substr(0, colon), words[at].substr(colon + 1)});
  }
  options.transport = post;
  const auto now = options.system.now;
  options.system.now = [&] { return now() + shift; };
  const auto client = latchkey::open(options);
  static const char* const names[] = {"PLAY", "PLAY_OFFLINE", "REFUSED", "UNKNOWN"};
  for (std::string line; std::getline(std::cin, line);) {
    const std::string word = line.substr(0, line.find(' '));
    const std::string value = line.substr(word.size() + 1);
    if (word == "clock") {
      shift = std::stod(value);
      std::cout << "set" << std::endl;
    } else if (word == "release") {
      std::cout << (client->release(value).isReleased ? "true" : "false") << std::endl;
    } else {
      const latchkey::Verdict verdict = client->check(value);
      const bool hasDevice = verdict.release && !verdict.release->devices.empty();
      std::cout << names[int(verdict.state)] << " " << verdict.code.value_or("-") << " "
                << (hasDevice ? verdict.release->devices[0].ref : "-") << std::endl;
    }
  }
  return 0;
}

int main(int count, char** words) {
  if (count > 2) return callServer({words, words + count});
  std::ifstream file(std::string(words[1]) + "/vectors.json");
  std::ostringstream all;
  all << file.rdbuf();
  const Json vectors = Parser::read(all.str());
  const std::vector<latchkey::Pin> pins = pinsOf(vectors.at("pins"));
  for (const Json& each : *vectors.at("proofs").as<List>()) {
    attempt("proof: " + text(each.at("name")), [&] {
      const std::string bind = latchkey::bindOf(text(each.at("game")), text(each.at("key")), text(each.at("deviceId")));
      const bool isGood = latchkey::readProof(pins, each.at("proof").text(), bind, each.at("nonce").text()).has_value();
      same("isGood", {isGood}, each.at("isGood"));
    });
  }
  for (const Json& each : *vectors.at("deviceIds").as<List>()) {
    attempt("device id: " + text(each.at("game")) + ", " + text(each.at("source")), [&] {
      Json made;
      try {
        made = {latchkey::makeDeviceId(text(each.at("game")), text(each.at("source")))};
      } catch (const std::invalid_argument&) {
      }
      same("the device id", made, each.at("deviceId"));
    });
  }
  for (const Json& each : *vectors.at("runs").as<List>()) {
    attempt("run: " + text(each.at("name")), [&] { play(each, pins); });
  }
  for (const std::string& line : failed) std::cout << line << "\n";
  std::cout << passed << " passed, " << failed.size() << " failed" << std::endl;
}
