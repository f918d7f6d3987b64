import { exampleVerdict } from "../http/examples.ts";
import { type Call, examplePath, placeholder } from "./call.ts";
import { keySamples } from "./key-samples.ts";
import { verdictFields, verifyParameters } from "./verify-call.ts";

const [key, deviceId, game, ...options] = verifyParameters.map((field) => ({
  ...field,
  type: field.optional ? "string, in the query" : "string, in the path",
}));

export const previewCall: Call = {
  method: "GET",
  path: "/api/verify/{key}/{game}/{deviceId}",
  operationId: "previewKey",
  title: "Check a key",
  description:
    "Returns the same response without connecting the device. Here, valid says whether the device could use the key now: it is already connected, or a slot is free.",
  // In the order of the path.
  parameters: [key, game, deviceId, ...options].filter((field) => field !== undefined),
  request: `GET ${placeholder}/api/verify/${examplePath}`,
  response: { ...exampleVerdict, canRegister: false },
  fields: [
    ...verdictFields.map((field) =>
      field.name === "currentDevices" ? { ...field, description: "How many devices are connected." } : field,
    ),
    {
      name: "canRegister",
      type: "boolean",
      description: "Whether POST would connect this device as a new one; false once it is connected.",
    },
  ],
  failures: [400, 401, 403, 422, 429, 500, 503],
  samples: keySamples({
    name: "previewKey",
    user: "lookAtKey",
    field: "canRegister",
    flag: "hasRoom",
    sentence: "This device can be added.",
    curl: `curl -sS --retry 3 --retry-max-time 60 '${placeholder}/api/verify/${examplePath}'`,
    // Each puts the three texts into the path, percent-encoded: a space is %20 there, never a plus.
    javascript: `  const path = [key, game, deviceId].map(encodeURIComponent).join("/");
  const response = await fetch(\`\${API_URL}/api/verify/\${path}\`);`,
    kotlin: {
      imports: "import android.net.Uri\n",
      body: `    val path = listOf(key, game, deviceId).joinToString("/") { Uri.encode(it) }`,
      path: "/$path",
    },
    swift: {
      type: "Preview",
      field: "  let canRegister: Bool\n",
      constant: `let unreserved = CharacterSet.alphanumerics.union(
  CharacterSet(charactersIn: "-._~")
)

`,
      request: String.raw`  let path = [key, game, deviceId]
    .map { $0.addingPercentEncoding(withAllowedCharacters: unreserved)! }
    .joined(separator: "/")
  var request = URLRequest(url: URL(string: "\(apiURL)/api/verify/\(path)")!)
  request.timeoutInterval = 10`,
    },
    csharp: {
      imports: "using System.Linq;\nusing System.Net.Http;",
      request: `        var parts = new[] { key, game, deviceId };
        var path = string.Join("/", parts.Select(part => Uri.EscapeDataString(part)));
        var response = await Http.GetAsync($"{ApiUrl}/api/verify/{path}");`,
      output: `        Console.WriteLine(
            hasRoom ? "This device can be added." : (string)verdict["message"]);`,
    },
    cpp: {
      url: `  std::string url = apiUrl + "/api/verify";`,
      preparation: `  for (const std::string& part : {key, game, deviceId}) {
    char* escaped = curl_easy_escape(curl, part.c_str(), part.size());
    url += std::string("/") + escaped;
    curl_free(escaped);
  }`,
      lineEnd: "\n                        ",
    },
  }),
};
