import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { writeCertificate } from "../../../tests/certificate.ts";
import { temporaryFolder } from "../../../tests/process.ts";
import { createGuardedPost, type Resolve } from "./guarded-post.ts";

/** A server on loopback that stands for everything within the operator's network. */
let internal: Server;
let port: number;
let connections: number;
let respond: (socket: Socket) => void;

beforeEach(async () => {
  connections = 0;
  respond = (socket) => socket.end("HTTP/1.1 200 OK\r\nx-own: yes\r\n\r\ngood");
  internal = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    respond(socket);
  });
  await new Promise<void>((resolve) => internal.listen(0, resolve));
  port = (internal.address() as { port: number }).port;
});
afterEach(() => {
  jest.useRealTimers();
  internal.close();
});

/** A resolver that returns the next of these lists each time, and records the names. */
function resolving(...lists: string[][]) {
  const names: string[] = [];
  const resolve: Resolve = (host, _options, done) => {
    names.push(host);
    const addresses = lists.shift() ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { names, resolve };
}

describe("without WEBHOOK_ALLOW_PRIVATE", () => {
  const post = createGuardedPost({ allowPrivate: false });

  test.each([
    "127.0.0.1",
    "127.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
    "0",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "localhost",
    "LOCALHOST",
  ])("nothing is sent to %s", async (host) => {
    expect(await post(`https://${host}:${port}/`, {}, "{}")).toMatchObject({
      status: null,
      text: "The address is in a private network.",
    });
    expect(connections).toBe(0);
  });

  test.each([
    ["http://example.com/", "The address must begin with https."],
    ["https://name:password@example.com/", "The address is not valid."],
    ["https://name@example.com/", "The address is not valid."],
    ["ftp://example.com/", "The address is not valid."],
    ["file:///etc/passwd", "The address is not valid."],
    ["https://exa mple.com/", "The address is not valid."],
    ["https:example.com", "The address is not valid."],
    ["", "The address is not valid."],
  ])("nothing is sent to %j", async (address, text) => {
    expect(await post(address, {}, "{}")).toMatchObject({ status: null, text });
  });

  test("a name that resolves to an internal address is refused, whatever it resolved to before", async () => {
    const { names, resolve } = resolving(["127.0.0.1"], ["10.0.0.1", "::1"], ["fe80::1%eth0"], []);
    const post = createGuardedPost({ allowPrivate: false, resolve });
    for (const count of [1, 2, 3, 4]) {
      const { text } = await post(`https://rebinding.example:${port}/`, {}, "{}");
      expect(text).toBe("The address is in a private network.");
      // It is resolved once for each connection, so there is no second answer to which the connection could be made.
      expect(names).toHaveLength(count);
    }
    expect(connections).toBe(0);
  });

  test("a name that does not exist fails", async () => {
    const resolve: Resolve = (_host, _options, done) =>
      done(Object.assign(new Error("getaddrinfo of a.example"), { code: "ENOTFOUND" }), []);
    const post = createGuardedPost({ allowPrivate: false, resolve });
    expect((await post("https://a.example/", {}, "{}")).text).toBe("The connection failed: ENOTFOUND.");
  });
});

describe("with WEBHOOK_ALLOW_PRIVATE", () => {
  const post = createGuardedPost({ allowPrivate: true });
  const url = () => `http://127.0.0.1:${port}/hook`;
  const headOf200 = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

  test("a private network is reached by http", async () => {
    let request = "";
    respond = (socket) =>
      socket.on("data", (piece) => {
        request += piece;
        if (request.endsWith("{}")) socket.end("HTTP/1.1 500 No\r\nx-own: yes\r\n\r\nbad");
      });
    const received = await post(url(), { "x-sent": "1" }, "{}");
    expect(received).toMatchObject({ status: 500, text: "bad", headers: { "x-own": "yes" } });
    expect(request).toStartWith("POST /hook HTTP/1.1\r\n");
    expect(request.toLowerCase()).toContain("content-type: application/json\r\n");
    expect(request.toLowerCase()).toContain("x-sent: 1\r\n");
  });

  test("a public address still needs https", async () => {
    const post = createGuardedPost({ allowPrivate: true, resolve: resolving(["8.8.8.8"]).resolve });
    for (const host of ["public.example", "8.8.8.8"]) {
      expect((await post(`http://${host}/`, {}, "{}")).text).toBe("A public address must begin with https.");
    }
  });

  test("of a name's addresses only those that are allowed are tried", async () => {
    const post = createGuardedPost({ allowPrivate: true, resolve: resolving(["8.8.8.8", "127.0.0.1"]).resolve });
    expect((await post(`http://mixed.example:${port}/`, {}, "{}")).status).toBe(200);
  });

  test.each([301, 302, 303, 307, 308])("a %d is not followed", async (status) => {
    respond = (socket) => socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: ${url()}\r\n\r\n`);
    expect((await post(url(), {}, "{}")).status).toBe(status);
    expect(connections).toBe(1);
  });

  test("an endless response is cut after 64 KB", async () => {
    const hungUp = Promise.withResolvers<void>();
    respond = (socket) => {
      socket.on("close", () => hungUp.resolve());
      socket.write(headOf200);
      const more = () => void socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`);
      socket.on("drain", more);
      for (let chunk = 0; chunk < 8; chunk += 1) more();
    };
    const { status, text } = await post(url(), {}, "{}");
    expect({ status, length: text.length }).toEqual({ status: 200, length: 64 * 1024 });
    await hungUp.promise;
  });

  test.each([
    ["header", "HTTP/1.1 200 OK\r\n", `x: ${"x".repeat(20_000)}\r\n`],
    ["junk", "", "x".repeat(20_000)],
  ])("an endless %s is no response", async (_, beginning, more) => {
    respond = (socket) => {
      socket.write(beginning);
      socket.write(more);
    };
    expect(await post(url(), {}, "{}")).toMatchObject({ status: null });
  });

  test.each([
    ["no response", ""],
    ["half of a head", "HTTP/1.1 200 OK\r\nx: "],
    ["an interim response", "HTTP/1.1 100 Continue\r\n\r\n"],
  ])("%s holds it for 10 seconds", async (_, bytes) => {
    jest.useFakeTimers();
    const hungUp = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    respond = (socket) => {
      socket.on("close", () => hungUp.resolve());
      socket.write(bytes, () => begun.resolve());
    };
    const received = post(url(), {}, "{}");
    await begun.promise;
    jest.advanceTimersByTime(9_999);
    expect(Bun.peek.status(received)).toBe("pending");
    jest.advanceTimersByTime(1);
    expect(await received).toMatchObject({ status: null, text: "No response within 10 seconds." });
    await hungUp.promise;
  });

  test("a resolver that does not respond holds it for 10 seconds", async () => {
    jest.useFakeTimers();
    const received = createGuardedPost({ allowPrivate: true, resolve: () => {} })("https://a.example/", {}, "{}");
    jest.advanceTimersByTime(10_000);
    expect((await received).text).toBe("No response within 10 seconds.");
  });

  test("a connection that is closed early is no response", async () => {
    respond = (socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
    expect(await post(url(), {}, "{}")).toMatchObject({
      status: null,
      text: "The connection was closed without a response.",
    });
  });
});

test("certificates are checked for the name, and NODE_EXTRA_CA_CERTS names an authority of one's own", async () => {
  const folder = temporaryFolder();
  const { certificateFile, keyFile } = writeCertificate(folder, "first");
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", fetch: () => new Response("good") },
    tls: { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
  });
  const script = `
    import { createGuardedPost } from ${JSON.stringify(join(import.meta.dir, "guarded-post.ts"))};
    const resolve = (host, options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
    const post = createGuardedPost({ allowPrivate: true, resolve });
    for (const host of ["localhost", "127.0.0.1", "example.com"])
      console.log((await post("https://" + host + ":${server.port}/", {}, "{}")).text);`;
  const run = async (environment: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, "-e", script], { env: { ...process.env, ...environment } });
    return (await new Response(child.stdout).text()).trim().split("\n");
  };
  const untrusted = "The connection failed: DEPTH_ZERO_SELF_SIGNED_CERT.";
  expect(await run({ NODE_EXTRA_CA_CERTS: "" })).toEqual([untrusted, untrusted, untrusted]);
  expect(await run({ NODE_EXTRA_CA_CERTS: certificateFile })).toEqual([
    "good",
    "good",
    "The connection failed: ERR_TLS_CERT_ALTNAME_INVALID.",
  ]);
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});
