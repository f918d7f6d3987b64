import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { writeCertificate } from "../certificate.ts";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { freePort } from "../free-port.ts";
import { type Latchkey, startLatchkey, temporaryFolder } from "../process.ts";

/** The proxy examples of docs/examples, run if the machine has the proxy. */
interface Example {
  name: string;
  /** Writes the example for these ports into a folder and returns the command that runs it. */
  prepare: (place: { folder: string; port: number; behind: number; plain: number }) => string[];
}

const exampleText = (file: string) => readFileSync(join(import.meta.dir, "../../docs/examples", file), "utf8");

const examples: Example[] = [
  {
    name: "nginx",
    prepare({ folder, port, behind, plain }) {
      const { certificateFile, keyFile } = writeCertificate(folder, "first");
      const site = exampleText("nginx.conf")
        .replaceAll("keys.example.com", "localhost")
        .replace("127.0.0.1:3000", `127.0.0.1:${behind}`)
        .replace("listen 80;", `listen 127.0.0.1:${plain};`)
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificateFile};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${keyFile};`)
        .replace("/var/log/nginx/latchkey.log", join(folder, "access.log"));
      const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      const whole = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { ${folders.join(" ")}\n${site}\n}`;
      writeFileSync(join(folder, "nginx.conf"), whole);
      return ["nginx", "-c", join(folder, "nginx.conf"), "-p", folder];
    },
  },
  {
    name: "caddy",
    prepare({ folder, port, behind, plain }) {
      const { certificateFile, keyFile } = writeCertificate(folder, "first");
      const site = exampleText("Caddyfile")
        .replace(/^keys\.example\.com \{$/m, `https://localhost:${port} {\n\ttls ${certificateFile} ${keyFile}`)
        .replace("reverse_proxy 127.0.0.1:3000", `reverse_proxy 127.0.0.1:${behind}`);
      writeFileSync(join(folder, "Caddyfile"), `{\n\tadmin off\n\thttp_port ${plain}\n}\n${site}`);
      return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
    },
  },
];

const found = examples.filter(({ name }) => Bun.which(name) !== null);
for (const { name } of examples.filter((each) => !found.includes(each))) {
  console.log(`This machine has no ${name}, so its example is not tested.`);
}

test("there is an example for each proxy", () => {
  for (const name of ["nginx.conf", "Caddyfile"]) expect(exampleText(name)).toContain("127.0.0.1:3000");
});

describe.each(found)("behind $name with the documented setup", ({ prepare }) => {
  const folder = temporaryFolder();
  let latchkey: Latchkey;
  let proxy: Bun.Subprocess;
  let url: string;
  const trusting = { tls: { rejectUnauthorized: false } } as RequestInit;
  const newClient = () => createClient(url, (asked) => fetch(asked, trusting));
  let admin: Client;

  beforeAll(async () => {
    const [port, behind, plain] = [await freePort(), await freePort(), await freePort()];
    url = `https://localhost:${port}`;
    const environment = { PORT: String(behind), PUBLIC_URL: url, TRUSTED_PROXIES: "127.0.0.1" };
    latchkey = await startLatchkey({ environment });
    mkdirSync(join(folder, "home"));
    proxy = Bun.spawn(prepare({ folder, port, behind, plain }), {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: join(folder, "home") },
      stdout: "ignore",
      stderr: "ignore",
    });
    while (proxy.exitCode === null && !(await fetch(`${url}/healthz`, trusting).catch(() => null))?.ok) {
      await Bun.sleep(50);
    }
    admin = await signInAdmin(newClient);
  });
  afterAll(async () => {
    proxy.kill("SIGTERM");
    await proxy.exited;
    await latchkey.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the session cookie is sent only over https", () => {
    expect(admin.cookie()).toStartWith("__Host-session=");
  });

  test("an import of 2 MB passes", async () => {
    const lines = Array.from({ length: 8_000 }, (_, at) => `KEY-${at},FREE FIRE,2099-01-01,${"x".repeat(250)}`);
    const file = ["key,game,expiry,note", ...lines].join("\n");
    expect(file.length).toBeGreaterThan(2_000_000);
    const headers = { cookie: admin.cookie(), origin: url, "content-type": "text/csv" };
    const asked = { ...trusting, method: "POST", headers, body: file };
    const response = await fetch(`${url}/api/admin/imports?dryRun=true`, asked);
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: number };
    expect((await admin.get(`/api/admin/imports/${id}`)).body.total).toBe(lines.length);
  });

  test("the live channel works", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "watcher" });
    const headers = { cookie: reseller.cookie(), origin: url };
    const options = { headers, tls: { rejectUnauthorized: false } };
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, options as unknown as string[]);
    const response = new Promise((resolve, reject) => {
      socket.onopen = () => socket.send(JSON.stringify({ type: "auth", resellerId: reseller.id }));
      socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)));
      socket.onclose = ({ code }) => reject(new Error(`Closed with ${code}.`));
    });
    expect(await response).toMatchObject({ type: "auth_success" });
    socket.close();
  });

  test("a client has its real address even if it sends a forged X-Forwarded-For", async () => {
    const body = JSON.stringify({ username: "admin", password: "wrong-password" });
    const { host, port } = new URL(url);
    const headers = { host, "content-type": "application/json", "x-forwarded-for": "203.0.113.9" };
    const socket = { host: "127.0.0.1", port, localAddress: "127.0.0.2", servername: "localhost" };
    const asked = { ...socket, rejectUnauthorized: false, method: "POST", path: "/api/auth/admin/login", headers };
    const status = await new Promise((resolve, reject) => {
      const sent = request(asked, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject);
      sent.end(body);
    });
    expect(status).toBe(401);
    expect(latchkey.output()).toMatch(/"event":"sign_in_failed".*"address":"127\.0\.0\.2"/);
  });

  test("pages are compressed by the proxy, and scripts arrive precompressed", async () => {
    const page = await fetch(url, { ...trusting, headers: { "accept-encoding": "gzip" } });
    expect(page.headers.get("content-encoding")).toBe("gzip");
    const [, script = ""] = (await page.text()).match(/src="(\/assets\/[^"]+)"/) ?? [];
    const response = await fetch(url + script, { ...trusting, headers: { "accept-encoding": "br" } });
    expect(response.headers.get("content-encoding")).toBe("br");
  });
});
