import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { type Reader, timelineQuery } from "../../../api/calls/key-life.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** What comes first: whether the key works for one more device, and what to do about it (rules.md: The life of a key). */
export function KeyAnswer({ reader, id }: { reader: Reader; id: number | string }) {
  const { data, isError } = useQuery(timelineQuery(reader, id));
  if (isError && !data) return null;
  const works = data === undefined || data.answer.code === "VALID";
  const Icon = works ? CircleCheck : CircleSlash;
  return (
    <div role="status" className="mt-3 flex min-h-17 gap-3 rounded-lg border border-line bg-card px-4 py-3">
      <Icon aria-hidden size={20} className={`mt-0.5 shrink-0 ${works ? "text-active" : "text-expired"}`} />
      <div className="min-w-0 grow">
        <p className="font-medium">{data?.answer.message ?? <Skeleton className="w-56" />}</p>
        <p className="text-sm text-muted">{data?.answer.advice ?? <Skeleton className="w-40" />}</p>
      </div>
    </div>
  );
}
