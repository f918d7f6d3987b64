import { adminLogin } from "./process.ts";

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body that it expects, so a type would be redundant.
  body: any;
}

/** A client of the API. It keeps its cookies between calls, as a browser does. */
export interface Client {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** The session's cookie, as in the Cookie header, or "". */
  cookie(): string;
  /** The Cookie header that it sends, or "". */
  cookies(): string;
}

/** `send` may be a handler in this process instead of `fetch`. A string body is sent unchanged. */
export function createClient(url: string, send: (request: Request) => Promise<Response> = fetch): Client {
  const jar = new Map<string, string>();
  const cookies = () => [...jar.values()].join("; ");

  const call: Client["call"] = async (method, path, body, headers = {}) => {
    const request = new Request(url + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(jar.size > 0 && { cookie: cookies() }),
        // With several processes behind one address, a new connection reaches the next process.
        ...(process.env.LATCHKEY_TEST_PROCESSES && { connection: "close" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      redirect: "manual",
    });
    const response = await send(request);
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (value === "") jar.delete(name);
      else jar.set(name, pair);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    call,
    get: (path) => call("GET", path),
    post: (path, body, headers) => call("POST", path, body, headers),
    cookie: () => jar.get("session") ?? jar.get("__Host-session") ?? "",
    cookies,
  };
}

export type NewClient = () => Client;

export async function signInAdmin(newClient: NewClient): Promise<Client> {
  const admin = newClient();
  const response = await admin.post("/api/auth/admin/login", adminLogin);
  if (response.status !== 200) throw new Error(`The admin could not sign in: ${response.text}`);
  return admin;
}

export interface ResellerClient extends Client {
  id: number;
  username: string;
}

/** Registers a reseller with a new token and signs in. */
export async function registerReseller(
  newClient: NewClient,
  admin: Client,
  { username, credits = 0 }: { username: string; credits?: number },
): Promise<ResellerClient> {
  const password = "test-reseller-password";
  const issued = await admin.post("/api/admin/tokens/generate", { credits });
  const reseller = newClient();
  const referralToken = issued.body.token.token;
  const registered = await reseller.post("/api/auth/reseller/register", { username, password, referralToken });
  if (registered.status !== 201) throw new Error(`${username} could not register: ${registered.text}`);
  await reseller.post("/api/auth/reseller/login", { username, password });
  return { ...reseller, id: registered.body.user.id, username };
}

/** The same client as a program that sends an API key. It still sends its cookies, which must not matter. */
export function withApiKey(client: Client, key: string): Client {
  const call: Client["call"] = (method, path, body, headers = {}) =>
    client.call(method, path, body, { authorization: `Bearer ${key}`, ...headers });
  return {
    ...client,
    call,
    get: (path) => call("GET", path),
    post: (path, body, headers) => call("POST", path, body, headers),
  };
}

/** Makes an API key as the signed-in client. */
export async function createApiKey(
  owner: Client,
  role: "admin" | "reseller",
  form: Record<string, unknown>,
): Promise<string> {
  const password = role === "admin" ? adminLogin.password : "test-reseller-password";
  const { status, text, body } = await owner.post(`/api/${role}/api-keys`, { name: "Shop", password, ...form });
  if (status !== 201) throw new Error(`No API key was made: ${text}`);
  return body.key;
}

export interface StaffClient extends Client {
  id: number;
  username: string;
  password: string;
}

/** Makes a staff account as the signed-in client, and signs it in. */
export async function createStaff(
  newClient: NewClient,
  owner: Client,
  role: "admin" | "reseller",
  form: { username: string; rights: readonly string[]; creditsPerDay?: number },
): Promise<StaffClient> {
  const password = role === "admin" ? adminLogin.password : "test-reseller-password";
  const { status, text, body } = await owner.post(`/api/${role}/staff`, { password, ...form });
  if (status !== 201) throw new Error(`No staff account was made: ${text}`);
  const login = { username: form.username, password: body.newPassword };
  const staff = newClient();
  const signedIn = await staff.post(`/api/auth/${role}/login`, login);
  if (signedIn.status !== 200) throw new Error(`The staff account could not sign in: ${signedIn.text}`);
  return { ...staff, ...login, id: body.id };
}
