/** The columns of a server's row: icon, name, (trust from 1400 px,) state, tools, action, switch, menu. */
export const rowGrid =
  'grid items-center gap-3 grid-cols-[32px_minmax(0,1fr)_208px_58px_130px_32px_16px] ' +
  'max-md:gap-[9px] max-md:grid-cols-[32px_minmax(0,1fr)_204px_54px_128px_32px_16px] ' +
  'max-sm:grid-cols-[32px_minmax(0,1fr)_32px_16px] max-sm:[&>:nth-child(7)]:col-start-3 max-sm:[&>:nth-child(7)]:row-start-1 max-sm:[&>:nth-child(8)]:col-start-4 max-sm:[&>:nth-child(8)]:row-start-1 ' +
  'lg:gap-4 lg:grid-cols-[32px_minmax(0,1fr)_190px_300px_80px_160px_32px_20px]'
