import { isoOf, msPerDay, msPerSecond, type Now } from "../../core/clock.ts";
import { printable } from "../../core/text.ts";
import type { WebhookEvent } from "../../facts/webhook-events.ts";
import { createGuardedPost, type Received, type Resolve } from "./guarded-post.ts";
import { sentenceOf } from "./sentences.ts";
import { signedHeaders } from "./signature.ts";

/** Where an event goes. Each of the secrets signs it. */
export type Target =
  | { kind: "standard"; url: string; secrets: readonly string[] }
  | { kind: "discord"; url: string }
  | { kind: "telegram"; botToken: string; chatId: string };

/** It is the same at each attempt. */
export type SentEvent = WebhookEvent & { id: string; at: number };

export interface Attempt {
  /** Null if there was no response. `answer` then says why. */
  status: number | null;
  ms: number;
  /** The beginning of the response's text. */
  answer: string;
  /** How long the receiver asks us to wait. */
  retryAfterMs: number | null;
  /** The chat to which Telegram moved the target's. */
  movedTo?: string | null;
}

interface Dependencies {
  /** WEBHOOK_ALLOW_PRIVATE */
  allowPrivate: boolean;
  /** TELEGRAM_API */
  telegramApi: string;
  /** Receivers compare it with their own clocks. */
  wallClock: Now;
  monotonicMs: () => number;
  resolve?: Resolve;
}

const answerCharactersMax = 500;
const retryAfterMsMax = msPerDay;

/** Sends events to other people's servers. It never throws, and logs nothing. */
export function createSender({ allowPrivate, telegramApi, wallClock, monotonicMs, resolve }: Dependencies) {
  const post = createGuardedPost({ allowPrivate, resolve });

  return {
    async send({ target, event }: { target: Target; event: SentEvent }): Promise<Attempt> {
      const startedAt = monotonicMs();
      const received = await postTo(target, event);
      return {
        status: received.status,
        ms: Math.round(monotonicMs() - startedAt),
        answer: printable(withoutToken(received.text, target), answerCharactersMax),
        retryAfterMs: retryAfterMs(received, target),
        ...(target.kind === "telegram" && { movedTo: chatIn(received) }),
      };
    },
  };

  function postTo(target: Target, event: SentEvent): Promise<Received> {
    if (target.kind === "standard") {
      const { id, type, at, data } = event;
      const body = JSON.stringify({ type, timestamp: isoOf(at), data });
      const secondsNow = Math.floor(wallClock() / msPerSecond);
      return post(target.url, signedHeaders({ id, secondsNow, body }, target.secrets), body);
    }
    if (target.kind === "discord") {
      const content = sentenceOf(event, escapedMarkdown);
      return post(target.url, {}, JSON.stringify({ content, allowed_mentions: { parse: [] } }));
    }
    const message = { chat_id: target.chatId, text: sentenceOf(event), link_preview_options: { is_disabled: true } };
    return post(`${telegramApi}/bot${target.botToken}/sendMessage`, {}, JSON.stringify(message));
  }

  function retryAfterMs({ headers, text }: Received, { kind }: Target): number | null {
    const header = headers["retry-after"] ?? "";
    const fromBody = kind === "standard" ? null : secondsIn(text);
    const seconds =
      fromBody ?? (/^\d+$/.test(header) ? Number(header) : (Date.parse(header) - wallClock()) / msPerSecond);
    return Number.isNaN(seconds) ? null : Math.min(Math.max(0, Math.ceil(seconds * msPerSecond)), retryAfterMsMax);
  }
}

/** Discord's `retry_after`, or Telegram's in `parameters`. */
function secondsIn(text: string): number | null {
  const body = bodyIn(text);
  const seconds = body?.retry_after ?? body?.parameters?.retry_after;
  return typeof seconds === "number" ? seconds : null;
}

/** A group that became a supergroup has another id. */
function chatIn({ status, text }: Received): string | null {
  const id = status === 400 ? bodyIn(text)?.parameters?.migrate_to_chat_id : null;
  return Number.isSafeInteger(id) ? String(id) : null;
}

interface KnownBody {
  retry_after?: unknown;
  parameters?: { retry_after?: unknown; migrate_to_chat_id?: unknown } | null;
}

function bodyIn(text: string): KnownBody | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Discord reads a backslash as: the next character is only itself. */
function escapedMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]()<:-]/g, "\\$&");
}

/** A response may quote the address of the request, in which Telegram has the bot's token. */
function withoutToken(text: string, target: Target): string {
  return target.kind === "telegram" ? text.replaceAll(target.botToken, "…") : text;
}
