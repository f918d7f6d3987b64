import { exampleVerdict } from "../http/examples.ts";
import { type Call, exampleRequest, type Field, placeholder } from "./call.ts";
import { keySamples } from "./key-samples.ts";

/** The parameters of both forms of the call. The second game is called LAST ISLAND here (rules.md: Games). */
export const verifyParameters: Field[] = [
  {
    name: "key",
    type: "string",
    description: "The license key as the player typed it. Case does not matter.",
  },
  {
    name: "deviceId",
    type: "string",
    description:
      "1 to 128 visible characters without spaces, the same at every start on this device and after a reinstall. The integration guide says how to make one.",
  },
  {
    name: "game",
    type: "string",
    description: "A game's name or alias, such as PUBG MOBILE, LAST ISLAND or FREE FIRE.",
  },
  {
    name: "version",
    type: "string or null",
    optional: true,
    description: "The version of the game, such as 1.12.3. Send it if the game may require a minimum version.",
  },
  {
    name: "deviceName",
    type: "string or null",
    optional: true,
    description:
      "What people call the device, such as Pixel 8. It is never a reason to refuse; 64 characters are kept.",
  },
  { name: "lang", type: "string or null", optional: true, description: "The player's language, such as pt-BR." },
  {
    name: "nonce",
    type: "string",
    optional: true,
    description: "16 new random bytes as base64url, 22 characters. With it the response carries a proof.",
  },
];

export const verdictFields: Field[] = [
  { name: "valid", type: "boolean", description: "Whether this device may use the key." },
  {
    name: "code",
    type: "string",
    description:
      "VALID, NOT_FOUND, MAINTENANCE, UPDATE_REQUIRED, REVOKED, PAUSED, EXPIRED, DEVICE_BLOCKED or DEVICE_LIMIT_REACHED. It is stable: decide by it, not by the message.",
  },
  { name: "message", type: "string", description: "The same as a sentence for people. The wording may change." },
  {
    name: "expiry",
    type: "string or null",
    description:
      "When the key expires, ISO 8601 in UTC. null for an unknown or paused key, and before a key starts at first use.",
  },
  {
    name: "deviceLimit",
    type: "integer or null",
    description: "How many devices the key allows. The panel shows 100 as Unlimited.",
  },
  {
    name: "currentDevices",
    type: "integer or null",
    description: "How many devices are connected, after VALID including this one.",
  },
  {
    name: "release",
    type: "object or null",
    description:
      "With DEVICE_LIMIT_REACHED: the devices that the player can free with POST /api/verify/release, and from when on.",
  },
  {
    name: "proof",
    type: "string",
    optional: true,
    description: "Only if a nonce was sent: the verdict, signed for this key, game, device and nonce.",
  },
];

export const verifyCall: Call = {
  method: "POST",
  path: "/api/verify",
  operationId: "verifyKey",
  title: "Verify a key",
  description:
    "Says whether the key is valid on this device, and connects the device if a slot is free, which starts a key that begins at first use. Repeating the call returns the same response and takes no second slot.",
  parameters: verifyParameters,
  request: `POST ${placeholder}/api/verify
Content-Type: application/json

${JSON.stringify(exampleRequest, null, 2)}`,
  response: exampleVerdict,
  fields: verdictFields,
  failures: [400, 401, 403, 413, 415, 422, 429, 500, 503],
  samples: keySamples({
    name: "verifyKey",
    user: "checkKey",
    field: "valid",
    flag: "isWelcome",
    sentence: "Welcome!",
    curl: `curl -sS --retry 3 --retry-max-time 60 ${placeholder}/api/verify \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(exampleRequest)}'`,
    javascript: `  const response = await fetch(\`\${API_URL}/api/verify\`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key, deviceId, game }),
  });`,
    kotlin: {
      body: `    val body = JSONObject()
      .put("key", key)
      .put("deviceId", deviceId)
      .put("game", game)`,
      sending: `    connection.requestMethod = "POST"
    connection.setRequestProperty("Content-Type", "application/json")
    connection.doOutput = true
    connection.outputStream.use { it.write(body.toString().toByteArray()) }
`,
    },
    swift: {
      type: "Verdict",
      request: String.raw`  var request = URLRequest(url: URL(string: "\(apiURL)/api/verify")!)
  request.httpMethod = "POST"
  request.timeoutInterval = 10
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.httpBody = try JSONEncoder().encode(
    ["key": key, "deviceId": deviceId, "game": game]
  )`,
    },
    csharp: {
      imports: "using System.Net.Http;\nusing System.Text;",
      request: `        var body = new JObject
        {
            ["key"] = key,
            ["deviceId"] = deviceId,
            ["game"] = game
        };
        var content = new StringContent(
            body.ToString(), Encoding.UTF8, "application/json");
        var response = await Http.PostAsync($"{ApiUrl}/api/verify", content);`,
      output: `        Console.WriteLine(isWelcome ? "Welcome!" : (string)verdict["message"]);`,
    },
    cpp: {
      url: `  const json request = {{"key", key}, {"deviceId", deviceId}, {"game", game}};
  const std::string url = apiUrl + "/api/verify";
  const std::string body = request.dump();`,
      preparation: `  curl_slist* headers =
      curl_slist_append(nullptr, "Content-Type: application/json");`,
      options: `  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
`,
      cleanup: "  curl_slist_free_all(headers);\n",
      lineEnd: " ",
    },
  }),
};
