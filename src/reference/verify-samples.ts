import { cppHead, csharpHead, exampleRequest, noVerdict, placeholder, type Samples } from "./call.ts";

const { key, deviceId, game } = exampleRequest;

/** Each sends a POST, and takes only a 200 for a verdict. */
export const verifySamples: Samples = {
  curl: `curl -sS --retry 3 ${placeholder}/api/verify \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(exampleRequest)}'`,

  javascript: `const API_URL = "${placeholder}";

async function verifyKey(key, game, deviceId) {
  const response = await fetch(\`\${API_URL}/api/verify\`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key, deviceId, game }),
  });
  // Every verdict is a 200. Anything else is not a verdict.
  if (!response.ok) {
    const { status, headers } = response;
    const retryAfter = headers.get("Retry-After");
    const { message } = await response.json().catch(() => ({}));
    throw Object.assign(new Error(message), { status, retryAfter });
  }
  return response.json();
}

const verdict = await verifyKey(
  "${key}",
  "${game}",
  "${deviceId}",
);
console.log(verdict.valid ? "Welcome!" : verdict.message);`,

  kotlin: `// Android, with kotlinx-coroutines.
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONObject

const val API_URL = "${placeholder}"

${noVerdict.kotlin}

suspend fun verifyKey(key: String, game: String, deviceId: String) =
  withContext(Dispatchers.IO) {
    val body = JSONObject()
      .put("key", key)
      .put("deviceId", deviceId)
      .put("game", game)
    val connection =
      URL("$API_URL/api/verify").openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    connection.requestMethod = "POST"
    connection.setRequestProperty("Content-Type", "application/json")
    connection.doOutput = true
    connection.outputStream.use { it.write(body.toString().toByteArray()) }
    // Every verdict is a 200. Anything else is not a verdict.
    val status = connection.responseCode
    val isVerdict = status == 200
    val stream =
      if (isVerdict) connection.inputStream else connection.errorStream
    val text = stream?.bufferedReader()?.use { it.readText() } ?: ""
    if (!isVerdict) {
      val seconds = connection.getHeaderField("Retry-After")?.toLongOrNull()
      throw NoVerdict(status, seconds, text)
    }
    JSONObject(text)
  }

suspend fun checkKey() {
  val verdict = verifyKey(
    "${key}",
    "${game}",
    "${deviceId}",
  )
  val isWelcome = verdict.getBoolean("valid")
  println(if (isWelcome) "Welcome!" else verdict.getString("message"))
}`,

  swift: String.raw`import Foundation

let apiURL = "${placeholder}"

struct Verdict: Decodable {
  let valid: Bool
  let code: String
  let message: String
  let expiry: String?
  let deviceLimit: Int?
  let currentDevices: Int?
}

${noVerdict.swift}

func verifyKey(
  _ key: String, game: String, deviceId: String
) async throws -> Verdict {
  var request = URLRequest(url: URL(string: "\(apiURL)/api/verify")!)
  request.httpMethod = "POST"
  request.timeoutInterval = 10
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.httpBody = try JSONEncoder().encode(
    ["key": key, "deviceId": deviceId, "game": game]
  )
  let (data, received) = try await URLSession.shared.data(for: request)
  let response = received as! HTTPURLResponse
  // Every verdict is a 200. Anything else is not a verdict.
  guard response.statusCode == 200 else {
    let seconds = response.value(forHTTPHeaderField: "Retry-After")
    throw NoVerdict(
      status: response.statusCode,
      retryAfter: seconds.flatMap { Int($0) },
      text: String(decoding: data, as: UTF8.self)
    )
  }
  return try JSONDecoder().decode(Verdict.self, from: data)
}

let verdict = try await verifyKey(
  "${key}",
  game: "${game}",
  deviceId: "${deviceId}"
)
print(verdict.valid ? "Welcome!" : verdict.message)`,

  csharp: `// .NET or Unity, with Newtonsoft.Json.
using System;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

${noVerdict.csharp}

${csharpHead}

    public static async Task<JObject> VerifyKey(
        string key, string game, string deviceId)
    {
        var body = new JObject
        {
            ["key"] = key,
            ["deviceId"] = deviceId,
            ["game"] = game
        };
        var content = new StringContent(
            body.ToString(), Encoding.UTF8, "application/json");
        var response = await Http.PostAsync($"{ApiUrl}/api/verify", content);
        var text = await response.Content.ReadAsStringAsync();
        // Every verdict is a 200. Anything else is not a verdict.
        if (!response.IsSuccessStatusCode)
        {
            throw new NoVerdict
            {
                Status = (int)response.StatusCode,
                RetryAfter = response.Headers.RetryAfter?.Delta,
                Text = text
            };
        }
        return JObject.Parse(text);
    }

    public static async Task CheckKey()
    {
        var verdict = await VerifyKey(
            "${key}",
            "${game}",
            "${deviceId}");
        var isWelcome = (bool)verdict["valid"];
        Console.WriteLine(isWelcome ? "Welcome!" : (string)verdict["message"]);
    }
}`,

  cpp: `${cppHead}

${noVerdict.cpp}

json verifyKey(const std::string& key, const std::string& game,
               const std::string& deviceId) {
  const json request = {{"key", key}, {"deviceId", deviceId}, {"game", game}};
  const std::string url = apiUrl + "/api/verify";
  const std::string body = request.dump();
  std::string text;
  long status = 0;
  curl_off_t seconds = 0;
  CURL* curl = curl_easy_init();
  curl_slist* headers =
      curl_slist_append(nullptr, "Content-Type: application/json");
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 10L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &text);
  const CURLcode outcome = curl_easy_perform(curl);
  if (outcome == CURLE_OK) {
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
  }
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  // Every verdict is a 200. Anything else is not a verdict.
  if (status != 200) {
    throw NoVerdict{status, seconds, text};
  }
  return json::parse(text);
}

int main() {
  const json verdict = verifyKey("${key}",
                                "${game}",
                                "${deviceId}");
  const bool isWelcome = verdict["valid"];
  std::cout << (isWelcome ? "Welcome!" : verdict["message"].get<std::string>())
            << std::endl;
}`,
};
