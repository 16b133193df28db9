/** The mark of the product: a gate whose crossbar is a cable joined at one warm point. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden className="block flex-none">
      <rect x="2" y="2" width="60" height="60" rx="15" fill="#0B4A5A" />
      <path d="M16 49.5V31a16 16 0 0 1 32 0v18.5" fill="none" stroke="#F2F7F7" strokeWidth="6" strokeLinecap="round" />
      <path d="M16 37.5h8M40 37.5h8" fill="none" stroke="#F2F7F7" strokeWidth="6" />
      <circle cx="32" cy="37.5" r="5.6" fill="#F0B443" />
    </svg>
  )
}
