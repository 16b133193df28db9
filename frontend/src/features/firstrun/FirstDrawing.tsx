import { useTranslation } from 'react-i18next'

/** The route drawn once: clients, Apollia and you, servers that are not there yet. */
export function FirstDrawing() {
  const { t } = useTranslation()
  const box = { width: 108, height: 40, rx: 9, fill: 'var(--bg-surface)', stroke: 'var(--line)' }
  return (
    <svg
      viewBox="-12 0 544 132"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden
      className="mb-[22px] h-[132px] w-[544px] max-w-full flex-none"
    >
      <g stroke="var(--line-control)">
        <rect x="-8" y="18" {...box} />
        <rect x="-8" y="74" {...box} />
        <path d="M104 38h50c26 0 26 28 52 28M104 94h50c26 0 26-28 52-28" />
        <rect x="420" y="18" {...box} strokeDasharray="4 4" />
        <rect x="420" y="74" {...box} strokeDasharray="4 4" />
        <path d="M314 66c26 0 26-28 52-28h28M314 66c26 0 26 28 52 28h28" strokeDasharray="4 6" />
        <g fill="var(--bg-canvas)">
          <circle cx="104" cy="38" r="5" />
          <circle cx="104" cy="94" r="5" />
          <circle cx="416" cy="38" r="5" />
          <circle cx="416" cy="94" r="5" />
        </g>
      </g>
      <g transform="translate(217 23) scale(1.34)" stroke="var(--accent)" strokeWidth="5">
        <path d="M16 49.5V31a16 16 0 0 1 32 0v18.5" />
        <path d="M16 37.5h8M40 37.5h8" strokeLinecap="butt" />
        <circle cx="32" cy="37.5" r="5" fill="var(--attn)" stroke="none" />
      </g>
      <g fontSize="12.5" fill="var(--text-2)" textAnchor="middle">
        <text x="46" y="42.5">
          Claude Desktop
        </text>
        <text x="46" y="98.5">
          {t('firstRun.drawing.agents')}
        </text>
        <text x="474" y="42.5" fill="var(--text-3)">
          {t('firstRun.drawing.server')}
        </text>
        <text x="474" y="98.5" fill="var(--text-3)">
          {t('firstRun.drawing.another')}
        </text>
        <text x="260" y="127" fontWeight="500" fill="var(--text)">
          {t('firstRun.drawing.you')}
        </text>
      </g>
    </svg>
  )
}
