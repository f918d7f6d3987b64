import { expect, test } from "bun:test";
import { readConfig } from "./config.ts";
import { warningsOf } from "./warnings.ts";

const warned = (environment: Record<string, string>) =>
  warningsOf({ BACKUP_SCHEDULE: "daily", ...environment }, readConfig({ BACKUP_SCHEDULE: "daily", ...environment }));

const s3 = { BACKUP_S3: "https://s3.example.com/b", BACKUP_S3_ACCESS_KEY_ID: "i", BACKUP_S3_SECRET_ACCESS_KEY: "k" };

test.each([
  ["BACKUP_SHEDULE", "BACKUP_SCHEDULE"],
  ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
  ["PUBLIC_URI", "PUBLIC_URL"],
  ["SECRETS", "SECRET"],
  ["SECRET_FILES", "SECRET_FILE"],
  ["DATADIR", "DATA_DIR"],
])("%s is reported as a misspelled %s", (name, meant) => {
  expect(warned({ [name]: "x" })).toEqual([`${name} is not a setting, so it has no effect. Did you mean ${meant}?`]);
});

test("other variables and correct settings are not reported", () => {
  const others = {
    HOME: "/root",
    PATH: "/bin",
    PWD: "/",
    HOSTNAME: "a",
    TERM: "xterm",
    LANG: "C",
    SHLVL: "1",
    TMPDIR: "/tmp",
  };
  expect(warned({ ...others, PORT: "3000", SECRET_FILE: "" })).toEqual([]);
});

test.each([
  [
    { ...s3, BACKUP_SCHEDULE: "off", SECRET: "k3Jx9_qWm2Zt7-RbV5nY8cLd4Hf6Gs0Pa1" },
    "BACKUP_S3 is set, but BACKUP_SCHEDULE is off",
  ],
  [{ ...s3, BACKUP_SCHEDULE: "daily" }, "the generated secret is only in DATA_DIR"],
  [{ BACKUP_SCHEDULE: "off" }, "No backups are scheduled"],
  [{ TRUSTED_PROXIES: "127.0.0.1, 0.0.0.0/0" }, "TRUSTED_PROXIES includes every address"],
  [{ TRUSTED_PROXIES: "::/0" }, "TRUSTED_PROXIES includes every address"],
  [{ PUBLIC_URL: "https://keys.example.com", HOST: "127.0.0.1" }, "TRUSTED_PROXIES does not name it"],
  [{ PUBLIC_URL: "https://keys.example.com" }, "PUBLIC_URL is https, but HOST 0.0.0.0 accepts plain http"],
  [
    { PUBLIC_URL: "https://keys.example.com", TRUSTED_PROXIES: "127.0.0.1, ::1" },
    "PUBLIC_URL is https, but HOST 0.0.0.0 accepts plain http",
  ],
  [{ PUBLIC_URL: "http://keys.example.com" }, "PUBLIC_URL is http, so anyone on the way can read"],
  [{ PUBLIC_URL: "http://203.0.113.5:3000" }, "PUBLIC_URL is http, so anyone on the way can read"],
  [{ RATE_LIMITS: "off" }, "RATE_LIMITS is off, so passwords and keys can be guessed"],
  [{ WEBHOOK_ALLOW_PRIVATE: "on" }, "WEBHOOK_ALLOW_PRIVATE is on: the webhooks of any reseller reach private networks"],
])("%o is reported", (environment, sentence) => {
  expect(warned(environment)).toEqual([expect.stringContaining(sentence)]);
});

test("https behind a proxy or with a certificate is not reported", () => {
  const PUBLIC_URL = "https://keys.example.com";
  expect(warned({ PUBLIC_URL, TRUSTED_PROXIES: "172.16.0.0/12" })).toEqual([]);
  expect(warned({ PUBLIC_URL, TRUSTED_PROXIES: "127.0.0.1", HOST: "127.0.0.1" })).toEqual([]);
  expect(warned({ PUBLIC_URL, TLS_CERT: "cert.pem", TLS_KEY: "key.pem" })).toEqual([]);
});

test.each(["localhost:3000", "panel", "panel.lan", "192.168.1.5", "[fd00::5]", "[::1]:3000"])(
  "http at the local name %s is not reported",
  (host) => {
    expect(warned({ PUBLIC_URL: `http://${host}` })).toEqual([]);
  },
);
