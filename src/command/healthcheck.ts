import { readConfig } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import type { Command } from "./command.ts";

const answerWithinMs = 3_000;

export const healthcheck: Command = {
  usage: "healthcheck",
  summary: "Ask the server on this machine whether it is well (exit code 0) or not (1)",
  async run(system) {
    const { host, port } = readConfig(system.environment);
    const target = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
    const url = `http://${target.includes(":") ? `[${target}]` : target}:${port}/healthz`;
    // Behind a PUBLIC_URL the server answers to that name and to this one, whatever address it listens on.
    const headers = { host: "localhost" };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(answerWithinMs) }).catch(() => null);
    if (!answer?.ok) throw new OperatorError(`Nothing healthy answers at ${url}.`);
    system.print("ok");
  },
};
