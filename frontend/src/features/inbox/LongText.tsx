import clsx from 'clsx'

interface LongTextProps {
  /** What it is, for those who reach it by keys and do not see what stands beside it. */
  label: string
  text: string
  tall?: boolean
  className?: string
}

/** Text as it is. Where it may not fit it scrolls, and then it can take the focus. */
export function LongText({ label, text, tall = false, className }: LongTextProps) {
  const long = text.length > 600 || text.split('\n').length > 12
  return (
    <div
      {...(long ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      className={clsx(
        'break-words whitespace-pre-wrap',
        long && ['overflow-y-auto', tall ? 'max-h-96' : 'max-h-64'],
        className,
      )}
    >
      {text}
    </div>
  )
}
