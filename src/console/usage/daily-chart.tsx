import { useEffect, useRef, useState } from 'preact/hooks';
import { usageTexts } from '../texts/usage.ts';
import { roundTicks } from '../ui/chart-scale.ts';
import { formatNumber } from '../ui/format.ts';
import { type DailySeries, type Day, shownLabels } from './daily-series.ts';

interface DailyChartProps {
  readonly data: DailySeries;
  /** Names of the series, in their order. */
  readonly names: readonly string[];
}

const height = 240;
const margin = { top: 12, right: 4, bottom: 26, left: 48 };
const plotHeight = height - margin.top - margin.bottom;
const labelPx = 64;
const gapPx = 1;

const shortDays = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longDays = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** A bar of documents for each day, with failures on top. Arrow keys, a pointer or a finger select a day. */
export function DailyChart({ data: { days }, names }: DailyChartProps) {
  const [frame, width] = useWidth();
  const lastIndex = days.length - 1;
  const [chosen, setChosen] = useState(lastIndex);
  const index = Math.min(chosen, lastIndex);
  const day = days[index];
  const plotWidth = Math.max(1, width - margin.left - margin.right);
  const ticks = roundTicks(Math.max(...days.map(({ documents, failures }) => documents + failures)), 4, true);
  const top = ticks.at(-1) ?? 1;
  const stepPx = plotWidth / days.length;
  const barPx = Math.max(1, Math.min(stepPx * 0.78, 44));
  const labels = shownLabels(days.length, plotWidth, labelPx);
  const choose = (event: PointerEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.floor((event.clientX - box.left - margin.left) / stepPx);
    setChosen(Math.min(lastIndex, Math.max(0, at)));
  };
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageUp: index + 7,
    PageDown: index - 7,
    Home: 0,
    End: lastIndex,
  };
  return (
    <div>
      <div
        ref={frame}
        class="chart-frame"
        role="slider"
        tabIndex={0}
        aria-label={usageTexts.chart}
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={index}
        aria-valuetext={day === undefined ? '' : describeDay(day, names)}
        onPointerMove={choose}
        onPointerDown={choose}
        onKeyDown={(event) => {
          const next = moves[event.key];
          if (next === undefined) return;
          event.preventDefault();
          setChosen(Math.min(lastIndex, Math.max(0, next)));
        }}
      >
        <svg width={width} height={height} aria-hidden="true">
          {ticks.map((tick) => {
            const y = margin.top + plotHeight * (1 - tick / top);
            return (
              <g key={tick}>
                <line class="grid" x1={margin.left} x2={width - margin.right} y1={y} y2={y} />
                <text class="tick" x={margin.left - 8} y={y + 4} text-anchor="end">
                  {compact.format(tick)}
                </text>
              </g>
            );
          })}
          <rect
            class="chosen"
            x={margin.left + index * stepPx}
            y={margin.top}
            width={stepPx}
            height={plotHeight}
            rx={3}
          />
          {days.map((one, position) => {
            const x = margin.left + position * stepPx + (stepPx - barPx) / 2;
            return (
              <g key={one.day}>
                <Bar day={one} x={x} width={barPx} top={top} />
                {labels.has(position) && (
                  <text
                    class="tick"
                    x={x + barPx / 2}
                    y={height - 6}
                    text-anchor={position === lastIndex ? 'end' : 'middle'}
                  >
                    {shortDays.format(new Date(one.day))}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </div>
      {day !== undefined && <Readout day={day} names={names} />}
    </div>
  );
}

interface BarProps {
  readonly day: Day;
  readonly x: number;
  readonly width: number;
  readonly top: number;
}

function Bar({ day, x, width, top }: BarProps) {
  const bars: { name: string; y: number; height: number }[] = [];
  let sum = 0;
  const add = (name: string, value: number): void => {
    if (value <= 0) return;
    const from = margin.top + plotHeight * (1 - sum / top);
    sum += value;
    const to = margin.top + plotHeight * (1 - sum / top);
    bars.push({ name, y: to, height: Math.max(1, from - to - (bars.length > 0 ? gapPx : 0)) });
  };
  for (const [series, value] of day.parts.entries()) add(`series-${series}`, value);
  add('series-failed', day.failures);
  return (
    <>
      {bars.map((bar) => (
        <rect
          key={bar.name}
          class={bar.name}
          x={x}
          y={bar.y}
          width={width}
          height={bar.height}
          rx={Math.min(2, width / 4)}
        />
      ))}
    </>
  );
}

function Readout({ day, names }: { readonly day: Day; readonly names: readonly string[] }) {
  return (
    <div class="readout">
      <p>
        <b>{longDays.format(new Date(day.day))}</b> <span class="number">{usageTexts.count(day.documents)}</span>
      </p>
      <ul class="legend">
        {names.map((name, series) => (
          <li key={`${series} ${name}`}>
            <span class={`swatch series-${series}`} aria-hidden="true" />
            <span class="legend-name">{name}</span>
            <span class="number">{formatNumber(day.parts[series] ?? 0)}</span>
          </li>
        ))}
        <li>
          <span class="swatch series-failed" aria-hidden="true" />
          <span class="legend-name">{usageTexts.failed}</span>
          <span class="number">{formatNumber(day.failures)}</span>
        </li>
      </ul>
    </div>
  );
}

function describeDay(day: Day, names: readonly string[]): string {
  const text = usageTexts.dayText(longDays.format(new Date(day.day)), day.documents, day.failures);
  if (names.length < 2) return text;
  const parts = names.flatMap((name, series) => {
    const count = day.parts[series] ?? 0;
    return count === 0 ? [] : [`${name} ${formatNumber(count)}`];
  });
  return [text, ...parts].join('; ');
}

/** The width of an element in pixels, updated when the window changes. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
