import { cppHead, csharpHead, placeholder, type Samples } from "./call.ts";

export const updatesSamples: Samples = {
  curl: `curl -sS --retry 3 --retry-max-time 60 ${placeholder}/api/updates`,

  javascript: `const API_URL = "${placeholder}";

async function activeUpdates() {
  const response = await fetch(\`\${API_URL}/api/updates\`);
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
}

const updates = await activeUpdates();
for (const { title, message } of updates) console.log(title, message);`,

  kotlin: `// Android, with kotlinx-coroutines.
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONArray

const val API_URL = "${placeholder}"

suspend fun activeUpdates() =
  withContext(Dispatchers.IO) {
    val connection =
      URL("$API_URL/api/updates").openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    val status = connection.responseCode
    if (status != 200) throw IOException("Reading the updates failed: $status")
    JSONArray(connection.inputStream.bufferedReader().use { it.readText() })
  }

suspend fun showUpdates() {
  val updates = activeUpdates()
  for (index in 0 until updates.length()) {
    val update = updates.getJSONObject(index)
    println("\${update.getString("title")} \${update.getString("message")}")
  }
}`,

  swift: String.raw`import Foundation

let apiURL = "${placeholder}"

struct Update: Decodable {
  let id: Int
  let title: String
  let message: String
  let buttonText: String?
  let linkUrl: String?
}

func activeUpdates() async throws -> [Update] {
  var request = URLRequest(url: URL(string: "\(apiURL)/api/updates")!)
  request.timeoutInterval = 10
  let (data, response) = try await URLSession.shared.data(for: request)
  guard (response as! HTTPURLResponse).statusCode == 200 else {
    throw URLError(.badServerResponse)
  }
  return try JSONDecoder().decode([Update].self, from: data)
}

for update in try await activeUpdates() {
  print(update.title, update.message)
}`,

  csharp: `// .NET or Unity, with Newtonsoft.Json.
using System;
using System.Net.Http;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

${csharpHead}

    public static async Task<JArray> ActiveUpdates()
    {
        var response = await Http.GetAsync($"{ApiUrl}/api/updates");
        response.EnsureSuccessStatusCode();
        return JArray.Parse(await response.Content.ReadAsStringAsync());
    }

    public static async Task ShowUpdates()
    {
        foreach (var update in await ActiveUpdates())
            Console.WriteLine(update["title"] + ": " + update["message"]);
    }
}`,

  cpp: `${cppHead}

json activeUpdates() {
  const std::string url = apiUrl + "/api/updates";
  std::string text;
  CURL* curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 10L);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &text);
  const CURLcode outcome = curl_easy_perform(curl);
  curl_easy_cleanup(curl);
  if (outcome != CURLE_OK) {
    throw std::runtime_error(curl_easy_strerror(outcome));
  }
  return json::parse(text);
}

int main() {
  for (const json& update : activeUpdates()) {
    std::cout << update["title"].get<std::string>() << " "
              << update["message"].get<std::string>() << std::endl;
  }
}`,
};
