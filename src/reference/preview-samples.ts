import { cppHead, csharpHead, examplePath, exampleRequest, placeholder, type Samples } from "./call.ts";

const { key, deviceId, game } = exampleRequest;

/** Each puts the three texts into the path, percent-encoded: a space is %20 there, never a plus. */
export const previewSamples: Samples = {
  curl: `curl -sS '${placeholder}/api/verify/${examplePath}'`,

  javascript: `const API_URL = "${placeholder}";

async function previewKey(key, game, deviceId) {
  const path = [key, game, deviceId].map(encodeURIComponent).join("/");
  const response = await fetch(\`\${API_URL}/api/verify/\${path}\`);
  const answer = await response.json();
  // Every verdict is a 200; anything else is no verdict.
  if (!response.ok) {
    const { status } = response;
    throw Object.assign(new Error(answer.message), { status });
  }
  return answer;
}

const answer = await previewKey(
  "${key}",
  "${game}",
  "${deviceId}",
);
console.log(answer.canRegister ? "This device can be added." : answer.message);`,

  kotlin: `// Android, with kotlinx-coroutines.
import android.net.Uri
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONObject

const val API_URL = "${placeholder}"

suspend fun previewKey(key: String, game: String, deviceId: String) =
  withContext(Dispatchers.IO) {
    val path = listOf(key, game, deviceId).joinToString("/") { Uri.encode(it) }
    val connection =
      URL("$API_URL/api/verify/$path").openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    // Every verdict is a 200; anything else is no verdict.
    val status = connection.responseCode
    val isVerdict = status == 200
    val stream =
      if (isVerdict) connection.inputStream else connection.errorStream
    val answer = JSONObject(stream.bufferedReader().use { it.readText() })
    if (!isVerdict) throw IOException("$status: \${answer.getString("message")}")
    answer
  }

suspend fun lookAtKey() {
  val answer = previewKey(
    "${key}",
    "${game}",
    "${deviceId}",
  )
  val hasRoom = answer.getBoolean("canRegister")
  println(if (hasRoom) "This device can be added." else answer.getString("message"))
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

struct Failure: Decodable { let message: String }
struct NoVerdict: Error { let status: Int, message: String }

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
  let (data, response) = try await URLSession.shared.data(for: request)
  let status = (response as! HTTPURLResponse).statusCode
  // Every verdict is a 200; anything else is no verdict.
  guard status == 200 else {
    let failure = try JSONDecoder().decode(Failure.self, from: data)
    throw NoVerdict(status: status, message: failure.message)
  }
  return try JSONDecoder().decode(Preview.self, from: data)
}

let answer = try await previewKey(
  "${key}",
  game: "${game}",
  deviceId: "${deviceId}"
)
print(answer.canRegister ? "This device can be added." : answer.message)`,

  csharp: `// .NET or Unity, with Newtonsoft.Json.
using System;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

${csharpHead}

    public static async Task<JObject> PreviewKey(
        string key, string game, string deviceId)
    {
        var parts = new[] { key, game, deviceId };
        var path = string.Join("/", parts.Select(part => Uri.EscapeDataString(part)));
        var response = await Http.GetAsync($"{ApiUrl}/api/verify/{path}");
        var text = await response.Content.ReadAsStringAsync();
        var answer = JObject.Parse(text);
        // Every verdict is a 200; anything else is no verdict.
        if (!response.IsSuccessStatusCode)
        {
            var status = (int)response.StatusCode;
            throw new HttpRequestException(status + ": " + answer["message"]);
        }
        return answer;
    }

    public static async Task LookAtKey()
    {
        var answer = await PreviewKey(
            "${key}",
            "${game}",
            "${deviceId}");
        var hasRoom = (bool)answer["canRegister"];
        Console.WriteLine(
            hasRoom ? "This device can be added." : (string)answer["message"]);
    }
}`,

  cpp: `${cppHead}

json previewKey(const std::string& key, const std::string& game,
                const std::string& deviceId) {
  std::string url = apiUrl + "/api/verify";
  std::string text;
  long status = 0;
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
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_cleanup(curl);
  if (outcome != CURLE_OK) {
    throw std::runtime_error(curl_easy_strerror(outcome));
  }
  json answer = json::parse(text);
  // Every verdict is a 200; anything else is no verdict.
  if (status != 200) {
    throw std::runtime_error(answer.value("message", "No verdict"));
  }
  return answer;
}

int main() {
  const json answer = previewKey("${key}",
                                 "${game}",
                                 "${deviceId}");
  const bool hasRoom = answer["canRegister"];
  std::cout << (hasRoom ? "This device can be added."
                        : answer["message"].get<std::string>())
            << std::endl;
}`,
};
