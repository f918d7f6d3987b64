/** A path that is no route (rules.md: Not-found page). */
export function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-6 px-4 py-10">
      <div className="rounded-xl border border-line bg-card p-6 text-center sm:p-8">
        <img src="/mark.svg" alt="" width={44} height={44} className="mx-auto mb-5 opacity-60" />
        <h1 className="text-xl font-semibold tracking-tight">404 Page Not Found</h1>
        <p className="mt-2 text-muted">Did you forget to add the page to the router?</p>
        <a
          href="/"
          className="mt-6 inline-flex min-h-(--hit) items-center rounded-md border border-edge bg-raised px-3.5 font-medium hover:bg-hover"
        >
          Back to Latchkey
        </a>
      </div>
    </main>
  );
}
