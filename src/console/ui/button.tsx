import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'icon'> {
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** Shows that the action is running; further clicks are ignored. */
  readonly isBusy?: boolean;
  readonly icon?: ComponentChildren;
}

export function Button({
  variant = 'plain',
  type = 'button',
  isBusy = false,
  icon,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${variant}`}
      aria-busy={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {isBusy ? <span class="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'class' | 'type' | 'variant'> {
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
}

export function IconButton({ label, icon, isBusy = false, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-busy={isBusy}
      onClick={(event) => {
        if (!isBusy) onClick?.(event);
      }}
      {...rest}
    >
      {isBusy ? <span class="spinner" aria-hidden="true" /> : icon}
    </button>
  );
}
