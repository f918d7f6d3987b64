import type { Bench, Findings } from "../bench.ts";
import { compare } from "../compare.ts";
import type { Server } from "../server.ts";

/** More than the limit of failed look-ups lets through (rules.md: Guessing keys). */
const guessesBefore = 25;

/** An address past its limit goes on guessing: what a refusal costs. No goal names it, but whoever attacks chooses what is dearest. */
export async function guessing(bench: Bench): Promise<Findings> {
  const server = await bench.latchkey();
  for (let guess = 0; guess < guessesBefore; guess += 1) await guessOn(server);
  const latchkey = { name: "Latchkey", servers: [server], traffic: "guessing" as const, keys: bench.keys };
  return { rows: await compare("POST verify, refused guess", await bench.limit(), [latchkey], bench), goals: [] };
}

async function guessOn(server: Server): Promise<void> {
  const response = await fetch(`${server.url}/api/verify`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: "NOBODY-MADE-THIS-KEY", deviceId: "guesser", game: "PUBG MOBILE" }),
  });
  await response.text();
}
