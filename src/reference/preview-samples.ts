import { cppHead, csharpHead, examplePath, exampleRequest, noVerdict, placeholder, type Samples } from "./call.ts";

const { key, deviceId, game } = exampleRequest;

/** Each puts the three texts into the path, percent-encoded: a space is %20 there, never a plus. */
export const previewSamples: Samples = {
  curl: `curl -sS --retry 3 '${placeholder}/api/verify/${examplePath}'`,

  javascript: `const API_URL = "${placeholder}";

async function previewKey(key, game, deviceId) {
  const path = [key, game, deviceId].map(encodeURIComponent).join("/");
  const response = await fetch(\`\${API_URL}/api/verify/\${path}\`);
  // Every verdict is a 200. Anything else is not a verdict.
  if (!response.ok) {
    const { status, headers } = response;
    const retryAfter = headers.get("Retry-After");
    const { message } = await response.json().catch(() => ({}));
    throw Object.assign(new Error(message), { status, retryAfter });
  }
  return response.json();
}

const verdict = await previewKey(
  "${key}",
  "${game}",
  "${deviceId}",
);
console.log(verdict.canRegister ? "This device can be added." : verdict.message);`,

  kotlin: `// Android, with kotlinx-coroutines.
import android.net.Uri
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONObject

const val API_URL = "${placeholder}"

${noVerdict.kotlin}

suspend fun previewKey(key: String, game: String, deviceId: String) =
  withContext(Dispatchers.IO) {
    val path = listOf(key, game, deviceId).joinToString("/") { Uri.encode(it) }
    val connection =
      URL("$API_URL/api/verify/$path").openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
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

suspend fun lookAtKey() {
  val verdict = previewKey(
    "${key}",
    "${game}",
    "${deviceId}",
  )
  val hasRoom = verdict.getBoolean("canRegister")
  println(if (hasRoom) "This device can be added." else verdict.getString("message"))
}`,

  swift: String.raw`import Foundation

let apiURL = "${placeholder}"

struct Preview: Decodable {
  let valid: Bool
  let code: String
  let message: String
  let expiry: String?
  let deviceLimit: Int?
  let currentDevices: Int?
  let canRegister: Bool
}

${noVerdict.swift}

let unreserved = CharacterSet.alphanumerics.union(
  CharacterSet(charactersIn: "-._~")
)

func previewKey(
  _ key: String, game: String, deviceId: String
) async throws -> Preview {
  let path = [key, game, deviceId]
    .map { $0.addingPercentEncoding(withAllowedCharacters: unreserved)! }
    .joined(separator: "/")
  var request = URLRequest(url: URL(string: "\(apiURL)/api/verify/\(path)")!)
  request.timeoutInterval = 10
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
  return try JSONDecoder().decode(Preview.self, from: data)
}

let verdict = try await previewKey(
  "${key}",
  game: "${game}",
  deviceId: "${deviceId}"
)
print(verdict.canRegister ? "This device can be added." : verdict.message)`,

  csharp: `// .NET or Unity, with Newtonsoft.Json.
using System;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

${noVerdict.csharp}

${csharpHead}

    public static async Task<JObject> PreviewKey(
        string key, string game, string deviceId)
    {
        var parts = new[] { key, game, deviceId };
        var path = string.Join("/", parts.Select(part => Uri.EscapeDataString(part)));
        var response = await Http.GetAsync($"{ApiUrl}/api/verify/{path}");
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

    public static async Task LookAtKey()
    {
        var verdict = await PreviewKey(
            "${key}",
            "${game}",
            "${deviceId}");
        var hasRoom = (bool)verdict["canRegister"];
        Console.WriteLine(
            hasRoom ? "This device can be added." : (string)verdict["message"]);
    }
}`,

  cpp: `${cppHead}

${noVerdict.cpp}

json previewKey(const std::string& key, const std::string& game,
                const std::string& deviceId) {
  std::string url = apiUrl + "/api/verify";
  std::string text;
  long status = 0;
  curl_off_t seconds = 0;
  CURL* curl = curl_easy_init();
  for (const std::string& part : {key, game, deviceId}) {
    char* escaped = curl_easy_escape(curl, part.c_str(), part.size());
    url += std::string("/") + escaped;
    curl_free(escaped);
  }
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 10L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &text);
  const CURLcode outcome = curl_easy_perform(curl);
  if (outcome == CURLE_OK) {
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
  }
  curl_easy_cleanup(curl);
  // Every verdict is a 200. Anything else is not a verdict.
  if (status != 200) {
    throw NoVerdict{status, seconds, text};
  }
  return json::parse(text);
}

int main() {
  const json verdict = previewKey("${key}",
                                 "${game}",
                                 "${deviceId}");
  const bool hasRoom = verdict["canRegister"];
  std::cout << (hasRoom ? "This device can be added."
                        : verdict["message"].get<std::string>())
            << std::endl;
}`,
};
