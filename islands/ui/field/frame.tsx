import type { ReactNode } from "react";

/** What every field has beside its control. `message` is what is wrong with it, and takes the hint's place. */
export interface FieldFrameProps {
  label: ReactNode;
  /** The label is read out but not shown, where the place makes it plain to the eye. */
  labelHidden?: boolean;
  hint?: ReactNode;
  message?: string;
  /** Stands at the right of the label: a counter, a Random button. */
  aside?: ReactNode;
}

/** The attributes that tie a control to its label, hint and message. */
export function controlAttributes(id: string, { hint, message }: Pick<FieldFrameProps, "hint" | "message">) {
  return {
    id,
    "aria-invalid": message ? true : undefined,
    "aria-describedby": message || hint ? noteId(id) : undefined,
  };
}

export function FieldFrame(props: FieldFrameProps & { id: string; className?: string; children: ReactNode }) {
  const { id, label, labelHidden = false, hint, message, aside, className, children } = props;
  return (
    <div className={className}>
      <div className={labelHidden ? "sr-only" : "mb-1.5 flex items-center justify-between gap-3"}>
        <label htmlFor={id} className="font-medium text-text">
          {label}
        </label>
        {/* A button here is as high as a finger needs, and must not push its field down. */}
        {aside && <span className="-my-3 flex items-center">{aside}</span>}
      </div>
      {children}
      <FieldNote id={id} hint={hint} message={message} />
    </div>
  );
}

export function FieldNote({ id, hint, message }: { id: string } & Pick<FieldFrameProps, "hint" | "message">) {
  if (message) {
    return (
      <p id={noteId(id)} role="alert" className="mt-1 text-sm text-danger-text">
        {message}
      </p>
    );
  }
  if (hint) {
    return (
      <p id={noteId(id)} className="mt-1 text-sm text-muted">
        {hint}
      </p>
    );
  }
  return null;
}

function noteId(id: string) {
  return `${id}-note`;
}
