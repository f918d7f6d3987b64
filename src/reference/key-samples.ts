import { cppHead, csharpHead, exampleRequest, noVerdict, placeholder, type Samples } from "./call.ts";

const { key, deviceId, game } = exampleRequest;

/** One of the two forms of verification. Their samples differ in these names and lines, which are in their order. */
interface Form {
  /** The function that makes the call, and where a language needs one, the function that uses it. */
  name: string;
  user: string;
  /** What the example looks at: a field of the verdict, the name of its value, and the sentence if it is true. */
  field: string;
  flag: string;
  sentence: string;
  curl: string;
  javascript: string;
  kotlin: { imports?: string; body: string; path?: string; sending?: string };
  swift: { type: string; field?: string; constant?: string; request: string };
  csharp: { imports: string; request: string; output: string };
  cpp: { url: string; preparation: string; options?: string; cleanup?: string; lineEnd: string };
}

/** Each sample takes only a 200 for a verdict. */
export function keySamples(form: Form): Samples {
  const { name, user, field, flag, sentence, curl, javascript, kotlin, swift, csharp, cpp } = form;
  const inPascalCase = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase());
  const spaces = (text: string) => " ".repeat(text.length);
  const outcome = `verdict.${field} ? "${sentence}" : verdict.message`;

  return {
    curl,

    javascript: `const API_URL = "${placeholder}";

async function ${name}(key, game, deviceId) {
${javascript}
  // Every verdict is a 200. Anything else is not a verdict.
  if (!response.ok) {
    const { status, headers } = response;
    const retryAfter = headers.get("Retry-After");
    const { message } = await response.json().catch(() => ({}));
    throw Object.assign(new Error(message), { status, retryAfter });
  }
  return response.json();
}

const verdict = await ${name}(
  "${key}",
  "${game}",
  "${deviceId}",
);
console.log(${outcome});`,

    kotlin: `// Android, with kotlinx-coroutines.
${kotlin.imports ?? ""}import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONObject

const val API_URL = "${placeholder}"

${noVerdict.kotlin}

suspend fun ${name}(key: String, game: String, deviceId: String) =
  withContext(Dispatchers.IO) {
${kotlin.body}
    val connection =
      URL("$API_URL/api/verify${kotlin.path ?? ""}").openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
${kotlin.sending ?? ""}    // Every verdict is a 200. Anything else is not a verdict.
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

suspend fun ${user}() {
  val verdict = ${name}(
    "${key}",
    "${game}",
    "${deviceId}",
  )
  val ${flag} = verdict.getBoolean("${field}")
  println(if (${flag}) "${sentence}" else verdict.getString("message"))
}`,

    swift: `import Foundation

let apiURL = "${placeholder}"

struct ${swift.type}: Decodable {
  let valid: Bool
  let code: String
  let message: String
  let expiry: String?
  let deviceLimit: Int?
  let currentDevices: Int?
${swift.field ?? ""}}

${noVerdict.swift}

${swift.constant ?? ""}func ${name}(
  _ key: String, game: String, deviceId: String
) async throws -> ${swift.type} {
${swift.request}
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
  return try JSONDecoder().decode(${swift.type}.self, from: data)
}

let verdict = try await ${name}(
  "${key}",
  game: "${game}",
  deviceId: "${deviceId}"
)
print(${outcome})`,

    csharp: `// .NET or Unity, with Newtonsoft.Json.
using System;
${csharp.imports}
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

${noVerdict.csharp}

${csharpHead}

    public static async Task<JObject> ${inPascalCase(name)}(
        string key, string game, string deviceId)
    {
${csharp.request}
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

    public static async Task ${inPascalCase(user)}()
    {
        var verdict = await ${inPascalCase(name)}(
            "${key}",
            "${game}",
            "${deviceId}");
        var ${flag} = (bool)verdict["${field}"];
${csharp.output}
    }
}`,

    cpp: `${cppHead}

${noVerdict.cpp}

json ${name}(const std::string& key, const std::string& game,
     ${spaces(name)} const std::string& deviceId) {
${cpp.url}
  std::string text;
  long status = 0;
  curl_off_t seconds = 0;
  CURL* curl = curl_easy_init();
${cpp.preparation}
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
${cpp.options ?? ""}  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 10L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &text);
  const CURLcode outcome = curl_easy_perform(curl);
  if (outcome == CURLE_OK) {
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
  }
${cpp.cleanup ?? ""}  curl_easy_cleanup(curl);
  // Every verdict is a 200. Anything else is not a verdict.
  if (status != 200) {
    throw NoVerdict{status, seconds, text};
  }
  return json::parse(text);
}

int main() {
  const json verdict = ${name}("${key}",
                       ${spaces(name)}"${game}",
                       ${spaces(name)}"${deviceId}");
  const bool ${flag} = verdict["${field}"];
  std::cout << (${flag} ? "${sentence}"${cpp.lineEnd}: verdict["message"].get<std::string>())
            << std::endl;
}`,
  };
}
