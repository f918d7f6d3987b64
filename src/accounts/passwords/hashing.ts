/** argon2id with OWASP's smaller profile: 19 MiB and two passes, so that a burst of logins cannot fill the memory. */
export const argon2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Some hundredths of a second of computing each. Both throw where a hash is none. */
export interface Hashing {
  hash(password: string): Promise<string>;
  matches(password: string, hash: string): Promise<boolean>;
}

/** In Bun's own threads, which are as urgent as the one that answers: for commands, which answer nobody meanwhile. */
export const hashingInPool: Hashing = {
  hash: (password) => Bun.password.hash(password, argon2),
  matches: (password, hash) => Bun.password.verify(password, hash),
};
