import { ar } from "./texts/ar.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { hi } from "./texts/hi.ts";
import { id } from "./texts/id.ts";
import { ptBr } from "./texts/pt-br.ts";
import { ru } from "./texts/ru.ts";
import type { Texts } from "./texts/texts.ts";
import { tr } from "./texts/tr.ts";
import { vi } from "./texts/vi.ts";

export type Language = "en" | "pt-BR" | "es" | "id" | "vi" | "ru" | "ar" | "hi" | "tr";

/** By language tag, in the order of the switch (rules.md: Languages). */
export const languages: Readonly<Record<Language, Texts>> = { en, "pt-BR": ptBr, es, id, vi, ru, ar, hi, tr };

const tags = Object.keys(languages) as Language[];

/** `in` is what old Androids send for Indonesian. */
const aliases: Record<string, Language> = { in: "id" };

/** The language of a tag such as `pt`, `PT-br` or `es_MX`: case and region do not matter. Null for any other text. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [, primary = ""] = /^([a-z]{2,3})([-_][a-z0-9]{1,8})*$/i.exec((tag ?? "").trim()) ?? [];
  const wanted = primary.toLowerCase();
  return aliases[wanted] ?? tags.find((each) => each.slice(0, 2) === wanted) ?? null;
}

/** More than any browser sends. */
const acceptedMax = 30;

/** The first of our languages in an `Accept-Language` header, by weight. */
export function acceptedLanguage(header: string | null): Language | null {
  const weighed = (header ?? "").split(",", acceptedMax).map((entry) => {
    const [tag = "", ...parameters] = entry.split(";");
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
    return { language: languageOf(tag), weight: Number(quality ?? 1) };
  });
  const wanted = weighed.filter(({ language, weight }) => language !== null && weight > 0);
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.language ?? null;
}
