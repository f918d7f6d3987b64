import { readFileSync, type StatsListener, unwatchFile, watchFile } from "node:fs";
import { getLogger } from "@logtape/logtape";
import type { Config } from "../config/config.ts";
import { wrongSetting } from "../config/environment.ts";
import { isoOf } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import type { Server } from "../server.ts";

const log = getLogger(["latchkey", "tls"]);

/**
 * Higher than anything that `readBody` allows: Bun's own limit would refuse without a message, before the access check.
 * Unread bodies are not kept in memory (50 bodies of 100 MB at once took 20 MB).
 */
const requestBytesMax = 2 ** 40;

/** Renewals often replace symbolic links, which only polling detects. */
const pollEveryMs = 10_000;

/**
 * Opens the port, with TLS if there is a certificate, and uses a renewed one without a restart: open requests finish,
 * and sockets stay. Returns how to stop watching the certificate. Throws `OperatorError`.
 */
export function listen(
  app: Server["app"],
  { port, host, tls }: Pick<Config, "port" | "host" | "tls">,
  { pollMs = pollEveryMs } = {},
): () => void {
  open(port, tls && readCertificate(tls));
  return tls ? follow(tls) : () => {};

  function open(onPort: number, certificate: Certificate | null): void {
    try {
      // By default Bun shares the port: a second server would silently receive half of the requests.
      const socket = { port: onPort, hostname: host, reusePort: false };
      const secure = certificate && { tls: { cert: certificate.cert, key: certificate.key } };
      app.listen({ ...socket, ...secure, maxRequestBodySize: requestBytesMax });
    } catch (error) {
      throw new OperatorError(`Cannot listen on ${host}:${onPort}: ${(error as Error).message}`);
    }
  }

  function follow(files: CertificateFiles): () => void {
    let current = readCertificate(files).cert;
    const look: StatsListener = () => {
      const renewed = renewedIn(files);
      if (renewed === null || renewed.cert === current) return;
      current = renewed.cert;
      replace(renewed);
    };
    const watched = [files.certificateFile, files.keyFile];
    for (const file of watched) watchFile(file, { interval: pollMs, persistent: false }, look);
    return () => {
      for (const file of watched) unwatchFile(file, look);
    };
  }

  /**
   * Bun's server keeps the certificate that it started with, so a new one takes over the port. Clients that connect in
   * between wait or retry.
   */
  function replace(certificate: Certificate): void {
    const onPort = app.server?.port ?? port;
    app.server?.stop(false);
    open(onPort, certificate);
    log.info("A renewed certificate is in use, valid until {goodUntil}.", { goodUntil: certificate.goodUntil });
  }
}

/** One of the two files may be replaced before the other. Until they match, the previous certificate stays. */
function renewedIn(files: CertificateFiles): Certificate | null {
  try {
    return readCertificate(files);
  } catch (error) {
    log.warn("{reason} The previous certificate stays in use.", { reason: (error as Error).message });
    return null;
  }
}

type CertificateFiles = NonNullable<Config["tls"]>;

type Certificate = ReturnType<typeof readCertificate>;

/** Throws `OperatorError` for a certificate that cannot be used, such as a half-written renewal. */
function readCertificate({ certificateFile, keyFile }: CertificateFiles) {
  const cert = textOf("TLS_CERT", certificateFile);
  const key = textOf("TLS_KEY", keyFile);
  // Loaded only if there is a certificate: an import would load it at every start.
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new OperatorError("they do not match");
    return { cert, key, goodUntil: isoOf(Date.parse(certificate.validTo)) };
  } catch (error) {
    throw wrongSetting(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}.`);
  }
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw wrongSetting(`${name} cannot be read: ${(error as Error).message}.`);
  }
}
