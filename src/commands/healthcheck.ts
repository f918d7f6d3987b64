import { readConfig } from "../config/config.ts";
import { OperatorError } from "../core/operator-error.ts";
import type { Command } from "./terminal/command.ts";

const responseMsMax = 3_000;

export const healthcheck: Command = {
  usage: "healthcheck",
  summary: "Check whether the server on this machine is ready (exit code 0) or not (1), and why",
  async run(system) {
    const { host, port, tls } = readConfig(system.environment);
    const target = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
    const url = `${tls ? "https" : "http"}://${target.includes(":") ? `[${target}]` : target}:${port}/readyz`;
    // With a PUBLIC_URL the server accepts that name and this one, whatever address it listens on.
    const headers = { host: "localhost" };
    // The certificate is for another name than this machine's address.
    const unnamed = { tls: { rejectUnauthorized: false } };
    const signal = AbortSignal.timeout(responseMsMax);
    const response = await fetch(url, { headers, signal, ...unnamed }).catch(() => null);
    if (response === null) throw new OperatorError(`There is no response from ${url}.`);
    const { status, checks = {}, notes = [] } = await response.json().catch(() => ({}));
    if (status === "failing")
      throw new OperatorError(
        Object.values(checks)
          .filter((each) => each !== "ok")
          .join(" "),
      );
    if (status !== "ok") throw new OperatorError(`The server at ${url} is not Latchkey.`);
    system.print(["ok", ...notes].join(". "));
  },
};
