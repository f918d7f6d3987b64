/** Stands by the button of an order that was carried out, and says how it can be pressed again. */
export function SentNote({ sent }: { sent: boolean }) {
  return (
    <div role="status" className="text-sm text-muted">
      {sent && <p className="mt-2">Done. Change something to generate more.</p>}
    </div>
  );
}
