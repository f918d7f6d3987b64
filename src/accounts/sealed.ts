const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Keeps what has to be read again, unlike a password, from whoever reads the database or a backup alone: it is encrypted under a key
 * that is derived from SECRET, which stands in neither.
 */
export interface Seal {
  /** `purpose` says whose and what it is: sealed for one, it opens for no other. */
  seal(text: string, purpose: string): string;
  /** Answers `null` where it was sealed under another SECRET, for another purpose, or was changed. */
  open(sealed: string, purpose: string): string | null;
  /** The same text sealed under the current secret, where it was sealed under the previous one; else `null`. */
  anew(sealed: string, purpose: string): string | null;
}

/** What cookies are signed with and seals derived from. While SECRET is being changed, the one of before still opens what it made. */
export interface Secrets {
  current: string;
  previous: string | null;
}

export function createSeal({ secrets }: { secrets: Secrets }): Seal {
  const current = sealUnder(secrets.current);
  const previous = secrets.previous === null ? null : sealUnder(secrets.previous);

  return {
    seal: current.seal,
    open: (sealed, purpose) => current.open(sealed, purpose) ?? previous?.open(sealed, purpose) ?? null,
    anew(sealed, purpose) {
      const text = current.open(sealed, purpose) === null ? previous?.open(sealed, purpose) : null;
      return typeof text === "string" ? current.seal(text, purpose) : null;
    },
  };
}

function sealUnder(secret: string): Pick<Seal, "seal" | "open"> {
  let derived: Buffer | null = null;

  return {
    seal(text, purpose) {
      const nonce = cryptography().randomBytes(nonceBytes);
      const cipher = cryptography().createCipheriv(algorithm, key(), nonce).setAAD(Buffer.from(purpose));
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString("base64url");
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, "base64url");
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      try {
        const decipher = cryptography().createDecipheriv(algorithm, key(), nonce, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
      } catch {
        return null;
      }
    },
  };

  function key(): Buffer {
    derived ??= Buffer.from(cryptography().hkdfSync("sha256", secret, "", "latchkey sealed", 32));
    return derived;
  }
}

/** Taken where it is used first: imported, it would be loaded by every start. */
function cryptography() {
  return process.getBuiltinModule("node:crypto");
}
