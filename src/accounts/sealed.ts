const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Signs cookies, and the keys of seals are derived from it. While SECRET is being changed, the previous one still opens
 * what it sealed.
 */
export interface Secrets {
  current: string;
  previous: string | null;
}

export type Seal = ReturnType<typeof createSeal>;

/**
 * Encrypts texts that have to be read again, unlike passwords, under a key derived from SECRET. SECRET is neither in
 * the database nor in a backup, so a thief of those cannot read them.
 */
export function createSeal({ secrets }: { secrets: Secrets }) {
  const current = sealUnder(secrets.current);
  const previous = secrets.previous === null ? null : sealUnder(secrets.previous);

  return {
    /** `purpose` names the owner and the kind of the text: a text sealed for one purpose opens for no other. */
    seal: current.seal,
    /** Returns null if the text was sealed under another SECRET or for another purpose, or was changed. */
    open: (sealed: string, purpose: string) => current.open(sealed, purpose) ?? previous?.open(sealed, purpose) ?? null,
    /** Returns the text sealed under the current secret if it was sealed under the previous one, otherwise null. */
    anew(sealed: string, purpose: string) {
      const text = current.open(sealed, purpose) === null ? previous?.open(sealed, purpose) : null;
      return typeof text === "string" ? current.seal(text, purpose) : null;
    },
  };
}

function sealUnder(secret: string) {
  let derived: Buffer | null = null;

  return {
    seal(text: string, purpose: string): string {
      const nonce = cryptography().randomBytes(nonceBytes);
      const cipher = cryptography().createCipheriv(algorithm, key(), nonce).setAAD(Buffer.from(purpose));
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString("base64url");
    },
    open(sealed: string, purpose: string): string | null {
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

/** Loaded at the first use: an import would load it at every start. */
function cryptography() {
  return process.getBuiltinModule("node:crypto");
}
