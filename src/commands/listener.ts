import { readFileSync, type StatsListener, unwatchFile, watchFile } from "node:fs";
import { getLogger } from "@logtape/logtape";
import type { Config } from "../config/config.ts";
import { isoOf } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import type { Server } from "../server.ts";

const log = getLogger(["latchkey", "tls"]);

/**
 * Out of the way of `readBody`: Bun's own limit would refuse without a word, and before anybody asked who calls. What is not read is not
 * kept (50 bodies of 100 MB at once took 20 MB of memory).
 */
const requestBytesMax = 2 ** 40;

/** Whoever renews certificates replaces links to files, which only looking shows. */
const lookEveryMs = 10_000;

/**
 * Opens the port, with TLS where there is a certificate, and takes up a renewed one without a restart: whoever is being answered is
 * answered, and sockets stay. Answers how to stop looking for it. Throws `OperatorError`.
 */
export function listen(
  app: Server["app"],
  {
    port,
    host,
    publicUrl,
    trustedProxies,
    tls,
  }: Pick<Config, "port" | "host" | "publicUrl" | "trustedProxies" | "tls">,
  { lookMs = lookEveryMs } = {},
): () => void {
  open(port, tls && readCertificate(tls));
  if (publicUrl?.protocol === "https:" && trustedProxies.length === 0 && !tls) warnOfNobodyEndingHttps();
  return tls ? follow(tls) : () => {};

  function open(onPort: number, certificate: Certificate | null): void {
    try {
      // Unless it is told not to, Bun shares the port: a second server would silently take half of the requests.
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
    for (const file of watched) watchFile(file, { interval: lookMs, persistent: false }, look);
    return () => {
      for (const file of watched) unwatchFile(file, look);
    };
  }

  /** Bun's server keeps the certificate that it began with, so another one takes its port. Who connects in between waits or tries again. */
  function replace(certificate: Certificate): void {
    const onPort = app.server?.port ?? port;
    app.server?.stop(false);
    open(onPort, certificate);
    log.info("A renewed certificate is in use, good until {goodUntil}.", { goodUntil: certificate.goodUntil });
  }
}

/** One of the two files may be there before the other: what does not fit leaves the certificate of before where it is. */
function renewedIn(files: CertificateFiles): Certificate | null {
  try {
    return readCertificate(files);
  } catch (error) {
    log.warn("{reason} The certificate of before stays.", { reason: (error as Error).message });
    return null;
  }
}

function warnOfNobodyEndingHttps(): void {
  log.warn(
    "PUBLIC_URL is https, and nothing is named that ends it: neither a proxy in TRUSTED_PROXIES nor a certificate in TLS_CERT. Without one of them browsers do not keep the session, or limits take everybody for one sender.",
    { setting: "TRUSTED_PROXIES" },
  );
}

export type CertificateFiles = NonNullable<Config["tls"]>;

/** A certificate with its chain and its key, as Bun's server takes them. */
export interface Certificate {
  cert: string;
  key: string;
  /** Until when browsers take it, as ISO 8601. */
  goodUntil: string;
}

/** Throws `OperatorError` for what no server could use: so a renewal that is half written leaves the old one in its place. */
export function readCertificate({ certificateFile, keyFile }: CertificateFiles): Certificate {
  const cert = textOf("TLS_CERT", certificateFile);
  const key = textOf("TLS_KEY", keyFile);
  // Taken where there is a certificate: imported, it would be loaded by every start.
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new OperatorError("they do not belong together");
    return { cert, key, goodUntil: isoOf(Date.parse(certificate.validTo)) };
  } catch (error) {
    throw new OperatorError(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}.`);
  }
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(`${name} cannot be read: ${(error as Error).message}.`);
  }
}
