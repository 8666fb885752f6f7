import { usageTexts } from '../texts/usage.ts';
import { formatNumber } from '../ui/format.ts';

interface GaugeProps {
  readonly label: string;
  readonly remaining: number;
  readonly allocated: number;
}

/** At or below this share, the gauge warns the user. */
const lowShare = 0.1;
const radius = 52;

/** A ring that shows the remaining share. */
export function Gauge({ label, remaining, allocated }: GaugeProps) {
  const share = allocated > 0 ? Math.min(1, Math.max(0, remaining / allocated)) : 0;
  const state = share === 0 ? 'used-up' : share <= lowShare ? 'low' : 'well';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a browser draws <meter> as a line
    <div
      class={`gauge ${state}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(allocated, 0)}
      aria-valuenow={Math.min(Math.max(remaining, 0), Math.max(allocated, 0))}
      aria-valuetext={usageTexts.gaugeValue(remaining, allocated)}
    >
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle class="gauge-track" cx="60" cy="60" r={radius} pathLength={100} />
        {share > 0 && (
          <circle
            class="gauge-value"
            cx="60"
            cy="60"
            r={radius}
            pathLength={100}
            stroke-dasharray={`${share * 100} 100`}
          />
        )}
      </svg>
      <p class="gauge-number">
        <b class="number">{formatNumber(remaining)}</b>
        <span>{usageTexts.left}</span>
      </p>
      <p class="gauge-label">
        {label} <span class="muted number">{usageTexts.ofAllocated(allocated)}</span>
      </p>
    </div>
  );
}
