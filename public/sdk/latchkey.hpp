/*
 * Latchkey SDK for C++17: desktop, consoles, Android NDK, Unreal. One header. MIT license.
 *
 *   latchkey::Options options;
 *   options.addresses = {"https://keys.example"};
 *   options.game = "PUBG MOBILE";
 *   options.pins = pins;  // {{kid, publicKey}}: active and next of /.well-known/latchkey-keys
 *   options.store = std::make_shared<latchkey::FileStore>("save");
 *   options.transport = post;  // your function: a Request in, a Response out
 *   #ifdef __ANDROID__
 *   // androidId: your call of Settings.Secure.getString(contentResolver, ANDROID_ID) through JNI
 *   options.deviceId = latchkey::makeDeviceId(options.game, androidId);
 *   #endif
 *   auto client = latchkey::open(options);
 *
 *   // At the start, and every minute while playing. It waits for the network, so not on the render thread.
 *   latchkey::Verdict verdict = client->check(key);
 *   if (verdict.state == latchkey::State::PLAY) run(Online);
 *   if (verdict.state == latchkey::State::PLAY_OFFLINE) run(verdict.code == "NOT_ASKED" ? Online : Offline);
 *   if (verdict.state == latchkey::State::REFUSED) {
 *     stop(verdict.message.value_or(""));  // says why; with UPDATE_REQUIRED, show the update too
 *     // With DEVICE_LIMIT_REACHED: client->release(ref) of the player's choice, then check again.
 *     if (verdict.release && verdict.release->isAllowed) offer(verdict.release->devices);
 *   }
 *   if (verdict.state == latchkey::State::UNKNOWN) tryAgain(verdict.message.value_or("The server cannot be reached."));
 *
 * C++ has no Ed25519, so this needs libsodium, which is maintained and runs everywhere (link with -lsodium; Debian:
 * libsodium-dev). It has no HTTP either, so the transport is a function that you write with your game's HTTP library.
 *
 * The device id is made of ANDROID_ID on Android, which this start passes, of MachineGuid on Windows, and elsewhere of
 * a random id in your store. A game that is out keeps its ids: `open` prefers a source that it finds in the store.
 */
#pragma once

#include <sodium.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#endif

namespace latchkey {

inline const char* const version = "1.0.0";

constexpr double secondsToConnect = 4;
constexpr double secondsToRespond = 6;
constexpr double secondsForAllAddresses = 10;
constexpr double secondsToWaitMax = 60;
constexpr double secondsBetweenRefreshes = 60;
/** How far the clock may be behind or past the lease. */
constexpr std::int64_t secondsOfTolerance = 300;

constexpr const char* proofsItem = "latchkey.proofs";
constexpr const char* sourceItem = "latchkey.device";

/** The code of PLAY_OFFLINE before a first attempt has ended. */
constexpr const char* notAsked = "NOT_ASKED";

using Text = std::optional<std::string>;

struct Pin {
  std::string kid;
  /** 32 bytes as base64url. */
  std::string publicKey;
};

/** Keeps texts from one start of the game to the next. What it throws is ignored, so a full phone can play. */
struct Store {
  virtual ~Store() = default;
  virtual Text get(const std::string& name) = 0;
  virtual void set(const std::string& name, const std::string& text) = 0;
  virtual void remove(const std::string& name) = 0;
};

/** A POST of JSON. */
struct Request {
  std::string url;
  std::string body;
  double secondsToConnect;
  /** Once it is connected. */
  double secondsToRespond;
  /** For everything. */
  double seconds;
};

struct Response {
  /** 0 where there is no response in time. */
  int status = 0;
  std::string body;
  /** The header Retry-After, in seconds. */
  std::optional<long> retryAfter;
};

/** Sends a request, and follows no redirect. */
using Transport = std::function<Response(const Request&)>;

enum class State {
  /** The last attempt brought a valid proof. */
  PLAY,
  /** A stored proof still counts. */
  PLAY_OFFLINE,
  /** The server refuses the key, and has signed that. */
  REFUSED,
  /** None of these. Let the player try again. */
  UNKNOWN
};

struct Device {
  std::string ref;
  Text name;
  std::string firstConnected;
  std::string lastSeen;
};

struct Release {
  bool isAllowed = false;
  Text allowedAt;
  std::vector<Device> devices;
};

struct Verdict {
  State state = State::UNKNOWN;
  /**
   * Nothing where no server has responded. With PLAY_OFFLINE, the code of the last attempt, or NOT_ASKED until the
   * first for this key since `open` has ended: do not show "offline" before.
   */
  Text code;
  /** May be shown to the player. */
  Text message;
  /** The end of the key, in Unix seconds. */
  std::optional<std::int64_t> until;
  /** Which devices the player may release, where the key has no free slot. */
  std::optional<Release> release;
};

struct Released {
  bool isReleased = false;
  Text code;
  Text message;
  /** When the player may release the next device. */
  Text allowedAt;
};

/** What the SDK needs of its platform. */
struct System {
  /** The clock, in Unix seconds. */
  std::function<double()> now = [] {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  };
  /** Seconds since any fixed point, whatever happens to the clock. */
  std::function<double()> uptime = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  /** From 0 up to but not including 1. */
  std::function<double()> random = [] { return randombytes_uniform(1u << 30) / double(1u << 30); };
  std::function<std::string(std::size_t)> randomBytes = [](std::size_t count) {
    std::string bytes(count, '\0');
    randombytes_buf(&bytes[0], count);
    return bytes;
  };
  /** Runs a task without waiting for it. */
  std::function<void(std::function<void()>)> background = [](std::function<void()> task) {
    std::thread([task] {
      try {
        task();
      } catch (...) {
        // Whatever stops a refresh, the next check finds out again.
      }
    }).detach();
  };
};

struct Options {
  /** Such as https://keys.example. They are tried in this order. */
  std::vector<std::string> addresses;
  /** Never change it, not even when the game is renamed: device ids and stored proofs depend on it. */
  std::string game;
  /** The signing keys that were active and next when this build was made. */
  std::vector<Pin> pins;
  std::shared_ptr<Store> store;
  Transport transport;
  /**
   * Made with makeDeviceId(game, source), on Android from ANDROID_ID. Left out, it is made of Windows' MachineGuid or
   * of a stored random id. A source that is already stored stays in use, so that a build that begins to pass one takes
   * no second slot.
   */
  Text deviceId;
  Text deviceName;
  /** The version of the game. */
  Text version;
  /** The language of messages, such as pt-BR. */
  Text lang;
  /** Replaced in tests. */
  System system;
};

/** The signed part of a verdict. */
struct Payload {
  std::string bind;
  bool valid = false;
  std::string code;
  std::int64_t iat = 0;
  std::optional<std::int64_t> exp;
  std::optional<std::int64_t> until;
};

namespace detail {

struct Json;
using Object = std::map<std::string, Json>;
using List = std::vector<Json>;

/** A value of JSON. Whole numbers are std::int64_t. */
struct Json {
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object> value = nullptr;

  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&value);
  }
  /** The field of an object, or null. */
  const Json& at(const std::string& name) const {
    static const Json none{};
    const Object* fields = as<Object>();
    const auto found = fields ? fields->find(name) : Object::const_iterator();
    return fields && found != fields->end() ? found->second : none;
  }
  bool has(const std::string& name) const { return as<Object>() && as<Object>()->count(name) > 0; }
  Text text() const { return as<std::string>() ? Text(*as<std::string>()) : std::nullopt; }
};

struct NotJson {};

/** As much of a parser as the calls need. */
class Parser {
 public:
  /** Null for null and for invalid JSON. */
  static Json read(const std::string& text) {
    try {
      Parser parser(text);
      Json value = parser.value(0);
      parser.space();
      return parser.at == text.size() ? value : Json{};
    } catch (const NotJson&) {
      return Json{};
    }
  }

 private:
  explicit Parser(const std::string& text) : text(text) {}

  char next() {
    if (at >= text.size()) throw NotJson{};
    return text[at++];
  }
  void space() {
    while (at < text.size() && std::string(" \t\r\n").find(text[at]) != std::string::npos) at++;
  }
  bool skip(char wanted) {
    space();
    if (at >= text.size() || text[at] != wanted) return false;
    at++;
    return true;
  }
  void expect(char wanted) {
    if (!skip(wanted)) throw NotJson{};
  }

  Json value(int depth) {
    if (depth > 50) throw NotJson{};
    if (skip('{')) return {object(depth)};
    if (skip('[')) return {list(depth)};
    if (skip('"')) return {string()};
    std::string word;
    while (at < text.size() && std::string(" \t\r\n,]}").find(text[at]) == std::string::npos) word += text[at++];
    if (word == "null") return {};
    if (word == "true" || word == "false") return {word == "true"};
    const bool isNumber = !word.empty() && word.find_first_not_of("+-.0123456789eE") == std::string::npos;
    if (!isNumber || word.size() > 30) throw NotJson{};
    const bool isWhole = word.find_first_of("+.eE") == std::string::npos && word.size() < 19;
    if (isWhole) return {std::int64_t(std::strtoll(word.c_str(), nullptr, 10))};
    return {std::strtod(word.c_str(), nullptr)};
  }

  Object object(int depth) {
    Object fields;
    if (skip('}')) return fields;
    do {
      expect('"');
      std::string name = string();
      expect(':');
      fields[name] = value(depth + 1);
    } while (skip(','));
    expect('}');
    return fields;
  }

  List list(int depth) {
    List values;
    if (skip(']')) return values;
    do values.push_back(value(depth + 1));
    while (skip(','));
    expect(']');
    return values;
  }

  /** After its first quotation mark. */
  std::string string() {
    std::string value;
    for (char each; (each = next()) != '"';) {
      if (each != '\\') {
        value += each;
        continue;
      }
      const char escaped = next();
      const std::size_t place = std::string("bfnrt").find(escaped);
      if (escaped == 'u') {
        append(value, codePoint());
      } else {
        value += place == std::string::npos ? escaped : "\b\f\n\r\t"[place];
      }
    }
    return value;
  }

  std::uint32_t unit() {
    std::string hex;
    for (int count = 0; count < 4; count++) hex += next();
    if (hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) throw NotJson{};
    return std::uint32_t(std::strtoul(hex.c_str(), nullptr, 16));
  }

  /** One, or two that make a character above U+FFFF. */
  std::uint32_t codePoint() {
    const std::uint32_t first = unit();
    const bool isPair = first >= 0xd800 && first < 0xdc00 && text.compare(at, 2, "\\u") == 0;
    if (!isPair) return first;
    at += 2;
    return 0x10000 + ((first - 0xd800) << 10) + ((unit() - 0xdc00) & 0x3ff);
  }

  /** In UTF-8. */
  static void append(std::string& text, std::uint32_t code) {
    if (code < 0x80) {
      text += char(code);
      return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0xc0, 0xe0, 0xf0};
    text += char(first[more - 1] | (code >> (6 * more)));
    for (int left = more - 1; left >= 0; left--) text += char(0x80 | ((code >> (6 * left)) & 0x3f));
  }

  const std::string& text;
  std::size_t at = 0;
};

inline std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char each : text) {
    char escape[8];
    if (each == '"' || each == '\\') {
      json += '\\';
      json += each;
    } else if (static_cast<unsigned char>(each) < ' ') {
      std::snprintf(escape, sizeof escape, "\\u%04x", each);
      json += escape;
    } else {
      json += each;
    }
  }
  return json + "\"";
}

inline std::string sha512(const std::string& text) {
  std::string hash(crypto_hash_sha512_BYTES, '\0');
  crypto_hash_sha512(reinterpret_cast<unsigned char*>(&hash[0]), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  return hash;
}

inline std::string toBase64Url(const std::string& bytes) {
  const int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
  sodium_bin2base64(&text[0], text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), variant);
  text.pop_back();
  return text;
}

/** Nothing for a text that is not base64url without padding. */
inline Text fromBase64Url(const std::string& text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(&bytes[0]), bytes.size(), text.data(),
                                       text.size(), nullptr, &size, nullptr, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  if (failed) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

inline std::string trimmed(const std::string& text) {
  const char* const space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(space) - first + 1);
}

/** Only a to z: texts outside ASCII stay. */
inline std::string inCase(std::string text, char first, char last, int distance) {
  for (char& each : text) {
    if (each >= first && each <= last) each = char(each + distance);
  }
  return text;
}

/** Whether this is what a platform returns for a device that it cannot tell from others. */
inline bool isPlaceholder(const std::string& id) {
  static const std::set<std::string> placeholders = {
      "null", "undefined", "unknown", "none", "n/a", "02:00:00:00:00:00", "9774d56d682e549c"};
  std::string plain = inCase(trimmed(id), 'A', 'Z', 'a' - 'A');
  if (placeholders.count(plain)) return true;
  plain.erase(std::remove_if(plain.begin(), plain.end(), [](char each) { return each == '-' || each == ':'; }),
              plain.end());
  if (plain.empty()) return true;
  // The first character, in UTF-8.
  std::size_t length = 1;
  while (length < plain.size() && (plain[length] & 0xc0) == 0x80) length++;
  std::string repeated;
  while (repeated.size() < plain.size()) repeated += plain.substr(0, length);
  return repeated == plain;
}

/** Windows' id of this installation, or nothing elsewhere. */
inline Text machineGuid() {
#ifdef _WIN32
  char guid[64] = {};
  DWORD size = sizeof guid;
  const LSTATUS status = RegGetValueA(HKEY_LOCAL_MACHINE, "SOFTWARE\\Microsoft\\Cryptography", "MachineGuid",
                                      RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY, nullptr, guid, &size);
  if (status == ERROR_SUCCESS && !isPlaceholder(guid)) return std::string(guid);
#endif
  return std::nullopt;
}

/** A call to the store, which may throw. Returns whether it did not. */
inline bool tried(const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (...) {
    return false;
  }
}

inline bool isTime(const Json& payload, const std::string& name) {
  return payload.has(name) && (payload.at(name).as<std::nullptr_t>() || payload.at(name).as<std::int64_t>());
}

inline std::optional<std::int64_t> timeOf(const Json& time) {
  return time.as<std::int64_t>() ? std::optional<std::int64_t>(*time.as<std::int64_t>()) : std::nullopt;
}

/**
 * A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy that
 * blocks the address, is as good as none.
 */
inline bool isFinal(const Response& response) {
  const Json said = Parser::read(response.body);
  if (response.status == 200) return said.at("message").text().has_value();
  return response.status >= 400 && response.status < 500 && said.at("code").text().has_value();
}

inline std::optional<Release> releaseOf(const Json& said) {
  if (!said.as<Object>()) return std::nullopt;
  Release release;
  release.isAllowed = said.at("isAllowed").as<bool>() && *said.at("isAllowed").as<bool>();
  release.allowedAt = said.at("allowedAt").text();
  if (const List* devices = said.at("devices").as<List>()) {
    for (const Json& each : *devices) {
      release.devices.push_back({each.at("ref").text().value_or(""), each.at("name").text(),
                                 each.at("firstConnected").text().value_or(""),
                                 each.at("lastSeen").text().value_or("")});
    }
  }
  return release;
}

}  // namespace detail

/** What ties a proof to a game, key and device, as they are sent. */
inline std::string bindOf(const std::string& game, const std::string& key, const std::string& deviceId) {
  const std::string plainKey = detail::inCase(detail::trimmed(key), 'a', 'z', 'A' - 'a');
  return detail::toBase64Url(detail::sha512("lk1\n" + game + "\n" + plainKey + "\n" + deviceId).substr(0, 32));
}

/**
 * The payload of a proof, or nothing if it was not signed by a pinned key or is about another bind or nonce. The
 * signature comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
 */
inline std::optional<Payload> readProof(const std::vector<Pin>& pins, const Text& proof, const std::string& bind,
                                        const Text& nonce) {
  std::vector<std::string> parts(1);
  for (const char each : proof.value_or("")) {
    if (each == '.') {
      parts.emplace_back();
    } else {
      parts.back() += each;
    }
  }
  if (parts.size() != 4 || parts[0] != "lk1") return std::nullopt;
  Text publicKey;
  for (const Pin& pin : pins) {
    if (pin.kid == parts[1]) publicKey = detail::fromBase64Url(pin.publicKey);
  }
  const Text content = detail::fromBase64Url(parts[2]);
  const Text signature = detail::fromBase64Url(parts[3]);
  if (!publicKey || !content || !signature || signature->size() != crypto_sign_BYTES) return std::nullopt;
  const auto bytes = [](const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); };
  const std::string message = parts[0] + "." + parts[1] + "." + parts[2];
  if (crypto_sign_verify_detached(bytes(*signature), bytes(message), message.size(), bytes(*publicKey)) != 0) {
    return std::nullopt;
  }

  const detail::Json fields = detail::Parser::read(*content);
  const bool* const valid = fields.at("valid").as<bool>();
  const Text code = fields.at("code").text();
  const std::int64_t* const iat = fields.at("iat").as<std::int64_t>();
  if (!valid || !code || !iat || !detail::isTime(fields, "exp") || !detail::isTime(fields, "until")) {
    return std::nullopt;
  }
  if (fields.at("bind").text() != Text(bind) || (nonce && fields.at("n").text() != nonce)) return std::nullopt;
  return Payload{bind, *valid, *code, *iat, detail::timeOf(fields.at("exp")), detail::timeOf(fields.at("until"))};
}

/**
 * A device id from what the platform knows a device by, which is not sent. Throws std::invalid_argument if that is
 * empty or a placeholder that many devices share.
 */
inline std::string makeDeviceId(const std::string& game, const std::string& source) {
  if (detail::isPlaceholder(source)) {
    throw std::invalid_argument("This source of a device id is a placeholder that many devices share.");
  }
  return "d1." + detail::toBase64Url(detail::sha512("latchkey-device\n" + game + "\n" + source).substr(0, 16));
}

/** May be used by several threads. */
class Client : public std::enable_shared_from_this<Client> {
 public:
  /** Use `open`. */
  Client(Options given, std::string deviceId) : deviceId(std::move(deviceId)), options(std::move(given)) {
    readProofs();
  }

  const std::string deviceId;

  /** Whether the key is good on this device. While a lease is running, this needs no network and returns at once. */
  Verdict check(const std::string& checkedKey) {
    const System& system = options.system;
    const std::string bind = bindOf(options.game, checkedKey, deviceId);
    {
      const std::lock_guard<std::mutex> guard(lock);
      key = checkedKey;
      noteTime();
      const std::optional<Payload> stored = storedProof(bind);
      const std::shared_ptr<Attempt> last = attempts[bind];
      const Wait& refusal = refusals[bind];
      const Wait& wait = system.uptime() < refusal.until ? refusal : outage;
      const bool isWaiting = system.uptime() < wait.until;
      if (stored && system.now() <= *stored->exp) {
        if (!isWaiting && (!last || system.uptime() - last->at >= secondsBetweenRefreshes)) {
          begin(bind);
          const auto self = shared_from_this();
          system.background([self, checkedKey, bind] { self->attempt(checkedKey, bind); });
        }
        return last && last->isProven ? verdict(State::PLAY, *stored) : offline(*stored, last.get());
      }
      if (isWaiting) return withoutProof(wait, stored, last.get());
    }
    return attempt(checkedKey, bind);
  }

  /** Frees the slot of a device that the last check listed in `release`. Check again afterwards. */
  Released release(const std::string& ref) {
    Text lastKey;
    {
      const std::lock_guard<std::mutex> guard(lock);
      lastKey = key;
    }
    if (!lastKey) throw std::logic_error("Check a key before you release one of its devices.");
    const Outcome outcome = post(
        "/api/verify/release", {{"key", lastKey}, {"game", options.game}, {"ref", ref}, {"lang", options.lang}},
        detail::isFinal);
    const detail::Json said = detail::Parser::read(outcome.last.body);
    Released released;
    released.isReleased = outcome.isAnswered && outcome.last.status == 200;
    if (!released.isReleased) released.code = said.at("code").text();
    released.message = said.at("message").text();
    released.allowedAt = said.at("allowedAt").text();
    return released;
  }

  /** Removes all proofs, for a player who signs out. The device id stays. */
  void forget() {
    const std::lock_guard<std::mutex> guard(lock);
    key.reset();
    attempts.clear();
    proofs.clear();
    save();
  }

 private:
  struct StoredProof {
    std::string proof;
    std::int64_t seen;
  };
  /** When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code. */
  struct Attempt {
    double at = 0;
    bool isProven = false;
    Text code = notAsked;
  };
  /** Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why. */
  struct Wait {
    int failures = 0;
    double until = 0;
    Text code;
    Text message;
  };
  struct Outcome {
    bool isAnswered = false;
    Response last;
    std::optional<long> retryAfter;
  };

  std::shared_ptr<Attempt> begin(const std::string& bind) {
    std::shared_ptr<Attempt>& last = attempts[bind];
    last = std::make_shared<Attempt>(last ? *last : Attempt{});
    last->at = options.system.uptime();
    return last;
  }

  /** Asks the server. */
  Verdict attempt(const std::string& checkedKey, const std::string& bind) {
    const System& system = options.system;
    std::shared_ptr<Attempt> attempt;
    {
      const std::lock_guard<std::mutex> guard(lock);
      attempt = begin(bind);
    }
    const std::string nonce = detail::toBase64Url(system.randomBytes(16));
    std::optional<Payload> payload;
    const Outcome outcome = post("/api/verify",
                                 {{"key", checkedKey},
                                  {"game", options.game},
                                  {"deviceId", deviceId},
                                  {"nonce", nonce},
                                  {"deviceName", options.deviceName},
                                  {"version", options.version},
                                  {"lang", options.lang}},
                                 [&](const Response& response) {
                                   if (response.status != 200) return detail::isFinal(response);
                                   const Text proof = detail::Parser::read(response.body).at("proof").text();
                                   payload = readProof(options.pins, proof, bind, nonce);
                                   return payload.has_value();
                                 });
    const std::lock_guard<std::mutex> guard(lock);
    attempt->isProven = false;
    if (outcome.isAnswered && payload) return accept(outcome.last, *payload, attempt);

    const detail::Json said = detail::Parser::read(outcome.last.status >= 400 ? outcome.last.body : "");
    attempt->code = said.at("code").text();
    Wait& wait = outcome.isAnswered ? refusals[bind] : outage;
    wait.failures += 1;
    const double longest = std::min(secondsToWaitMax, std::pow(2.0, wait.failures - 1));
    wait.until = system.uptime() + (outcome.retryAfter ? double(*outcome.retryAfter) : system.random() * longest);
    wait.code = attempt->code;
    wait.message = said.at("message").text();
    return withoutProof(wait, storedProof(bind), attempt.get());
  }

  Verdict accept(const Response& answer, const Payload& payload, const std::shared_ptr<Attempt>& attempt) {
    const detail::Json said = detail::Parser::read(answer.body);
    outage = Wait{};
    refusals.erase(payload.bind);
    attempt->isProven = payload.valid;
    attempt->code = payload.code;
    // A player who has signed out meanwhile has no attempt any more.
    if (attempts[payload.bind] == attempt) {
      if (!payload.valid) {
        proofs.erase(payload.bind);
      } else if (payload.exp) {
        proofs[payload.bind] = {said.at("proof").text().value_or(""), payload.iat};
      }
      save();
    }
    Verdict result = verdict(payload.valid ? State::PLAY : State::REFUSED, payload);
    result.message = said.at("message").text();
    result.release = detail::releaseOf(said.at("release"));
    return result;
  }

  Verdict withoutProof(const Wait& wait, const std::optional<Payload>& stored, const Attempt* attempt) const {
    if (&wait == &outage && stored) return offline(*stored, attempt);
    Verdict result;
    result.code = wait.code;
    result.message = wait.message;
    return result;
  }

  static Verdict offline(const Payload& stored, const Attempt* attempt) {
    Verdict result = verdict(State::PLAY_OFFLINE, stored);
    result.code = attempt ? attempt->code : Text(notAsked);
    return result;
  }

  /** Tries the addresses in order, until one returns an answer. */
  Outcome post(const std::string& path, const std::vector<std::pair<std::string, Text>>& fields,
               const std::function<bool(const Response&)>& isAnswer) const {
    std::string body;
    for (const auto& [name, value] : fields) {
      if (value) body += (body.empty() ? "{" : ",") + detail::quoted(name) + ":" + detail::quoted(*value);
    }
    body += "}";
    Outcome outcome;
    const double end = options.system.uptime() + secondsForAllAddresses;
    for (std::string address : options.addresses) {
      const double left = end - options.system.uptime();
      if (left <= 0) break;
      while (!address.empty() && address.back() == '/') address.pop_back();
      outcome.last = options.transport(
          {address + path, body, std::min(secondsToConnect, left), std::min(secondsToRespond, left), left});
      outcome.isAnswered = isAnswer(outcome.last);
      if (outcome.isAnswered) {
        outcome.retryAfter = outcome.last.retryAfter;
        break;
      }
      if (outcome.last.retryAfter) {
        outcome.retryAfter = std::max(outcome.retryAfter.value_or(0), *outcome.last.retryAfter);
      }
    }
    return outcome;
  }

  /** The stored proof of a bind, if it counts now. */
  std::optional<Payload> storedProof(const std::string& bind) const {
    const auto stored = proofs.find(bind);
    if (stored == proofs.end()) return std::nullopt;
    const std::optional<Payload> payload = readProof(options.pins, stored->second.proof, bind, std::nullopt);
    if (!payload || !payload->valid || !payload->exp) return std::nullopt;
    const double now = options.system.now();
    const bool counts = now <= *payload->exp + secondsOfTolerance && now >= stored->second.seen - secondsOfTolerance;
    return counts ? payload : std::nullopt;
  }

  /** Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease. */
  void noteTime() {
    const std::int64_t now = std::int64_t(std::floor(options.system.now()));
    bool isBehind = false;
    for (auto& [bind, stored] : proofs) {
      if (stored.seen >= now) continue;
      stored.seen = now;
      isBehind = true;
    }
    if (isBehind) save();
  }

  void save() const {
    std::string lines;
    for (const auto& [bind, stored] : proofs) {
      lines += (lines.empty() ? "" : "\n") + bind + " " + std::to_string(stored.seen) + " " + stored.proof;
    }
    // A full phone can still remove.
    detail::tried([&] { lines.empty() ? options.store->remove(proofsItem) : options.store->set(proofsItem, lines); });
  }

  /** Reads what `save` wrote: a line for each proof. */
  void readProofs() {
    std::string text;
    detail::tried([&] { text = options.store->get(proofsItem).value_or(""); });
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string bind, seen, proof, more;
      words >> bind >> seen >> proof;
      const bool isTime = seen.size() < 16 && seen.find_first_not_of("0123456789") == std::string::npos;
      if (!proof.empty() && isTime && !(words >> more)) proofs[bind] = {proof, std::stoll(seen)};
    }
  }

  static Verdict verdict(State state, const Payload& payload) {
    Verdict result;
    result.state = state;
    result.code = payload.code;
    result.until = payload.until;
    return result;
  }

  const Options options;
  std::mutex lock;
  Text key;
  /** By bind. */
  std::map<std::string, StoredProof> proofs;
  /** By bind. */
  std::map<std::string, std::shared_ptr<Attempt>> attempts;
  /** After no response: for every key. */
  Wait outage;
  /** After a 4xx: for the key that was asked, by bind. */
  std::map<std::string, Wait> refusals;
};

namespace detail {

/** A stored source comes first, then the id that the game passes, then MachineGuid or a random source. */
inline std::string deviceIdInUse(const Options& options) {
  Text known;
  const bool isRead = tried([&] { known = options.store->get(sourceItem); });
  if (known && !isPlaceholder(*known)) return makeDeviceId(options.game, *known);
  if (options.deviceId) return *options.deviceId;
  if (const Text guid = machineGuid()) return makeDeviceId(options.game, *guid);
  const std::string fresh = toBase64Url(options.system.randomBytes(16));
  // A source that cannot be read is not replaced.
  if (isRead) tried([&] { options.store->set(sourceItem, fresh); });
  return makeDeviceId(options.game, fresh);
}

}  // namespace detail

/** Throws std::invalid_argument where the pins, the device id or the transport are unusable. */
inline std::shared_ptr<Client> open(const Options& options) {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot start.");
  if (!options.transport || !options.store) throw std::invalid_argument("A store and a transport are needed.");
  for (const Pin& pin : options.pins) {
    const Text bytes = detail::fromBase64Url(pin.publicKey);
    if (!bytes || bytes->size() != crypto_sign_PUBLICKEYBYTES) {
      throw std::invalid_argument("The public key " + pin.kid + " is not 32 bytes of base64url.");
    }
  }
  const std::string id = detail::deviceIdInUse(options);
  if (detail::isPlaceholder(id)) {
    throw std::invalid_argument("This device id is a placeholder that many devices share.");
  }
  return std::make_shared<Client>(options, id);
}

/** Keeps each text in a file of a folder, which must exist. */
class FileStore : public Store {
 public:
  explicit FileStore(std::string folder) : folder(std::move(folder)) {}

  Text get(const std::string& name) override {
    std::ifstream file(folder + "/" + name, std::ios::binary);
    if (!file) return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void set(const std::string& name, const std::string& text) override {
    const std::string path = folder + "/" + name;
    std::ofstream file(path + ".new", std::ios::binary);
    file << text;
    file.close();
    // Where the disk is full, what was there stays.
    if (!file) throw std::runtime_error("Cannot write " + path);
    std::remove(path.c_str());
    if (std::rename((path + ".new").c_str(), path.c_str()) != 0) throw std::runtime_error("Cannot write " + path);
  }
  void remove(const std::string& name) override { std::remove((folder + "/" + name).c_str()); }

 private:
  const std::string folder;
};

}  // namespace latchkey
