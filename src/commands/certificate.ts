import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { isoOf } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";

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
