import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { sizeText } from "../../format.ts";

interface FileChoiceProps {
  file: File | null;
  onChoose: (file: File) => void;
}

/** A place to drop a file on, which is also the button that chooses one. */
export function FileChoice({ file, onChoose }: FileChoiceProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  function take() {
    const [chosen] = input.current?.files ?? [];
    if (!input.current || !chosen) return;
    onChoose(chosen);
    // So that choosing the same file again, after it was corrected, is a change too.
    input.current.value = "";
  }
  // A file that was chosen before hydration.
  useEffect(take, [onChoose]);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onChoose(dropped);
  }
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        "flex cursor-pointer flex-col items-center rounded-lg border border-dashed px-4 py-8 text-center hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brass",
        isOver ? "border-brass bg-hover" : "border-edge bg-card",
      )}
    >
      <FileUp size={20} aria-hidden className="mb-3 text-muted" />
      <span className="font-medium wrap-anywhere">
        {file ? `${file.name} (${sizeText(file.size)})` : "Choose or drop a file"}
      </span>
      <span className="mt-1 text-balance text-muted">
        {file
          ? "Choose or drop another file to replace it."
          : "CSV or JSON, as KeyAuth, License Manager for WooCommerce and others export it"}
      </span>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.json,.jsonl,.ndjson,.txt,text/csv"
        className="sr-only"
        onChange={take}
      />
    </label>
  );
}
