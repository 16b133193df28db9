import clsx from 'clsx'
import { Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fold } from '@/features/connexions'
import { moveFocus } from '@/lib/roving'
import { TextInput } from '@/ui'

export interface Offer {
  /** What tells it apart in all groups: an address, a template, a name. */
  key: string
  name: string
  /** What else to find it by. */
  more: string
  /** What a person should know of it, at the end of its row. */
  mark?: ReactNode
  /** It cannot be used. */
  struck?: boolean
}

export interface OfferGroup {
  key: string
  title: ReactNode
  offers: readonly Offer[]
}

export interface OfferListProps {
  label: string
  filterLabel: string
  groups: readonly OfferGroup[]
  open: string | undefined
  onOpen: (key: string) => void
}

/** Tools, resources or prompts in groups, with a filter; arrows move. */
export function OfferList({ label, filterLabel, groups, open, onOpen }: OfferListProps) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const wanted = fold(filter)
  const found = groups
    .map((group) => ({
      ...group,
      offers: group.offers.filter(({ name, more }) => fold(`${name} ${more}`).includes(wanted)),
    }))
    .filter(({ offers }) => offers.length > 0)
  const keys = found.flatMap(({ offers }) => offers.map(({ key }) => key))
  const stop = open !== undefined && keys.includes(open) ? open : keys[0]
  return (
    <nav data-pane aria-label={label} className="flex min-h-0 flex-1 flex-col pt-3">
      <div className="px-2.5 pb-2 pl-4">
        <TextInput
          soft
          icon={Search}
          data-page-search
          aria-label={filterLabel}
          placeholder={filterLabel}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          frameClassName="h-7! text-small!"
        />
      </div>
      <div
        role="presentation"
        onKeyDown={(event) => moveFocus(event, '[data-offer]')}
        className="min-h-0 flex-1 overflow-y-auto pr-2.5 pb-3 pl-4"
      >
        {found.length === 0 && <p className="px-2 text-small text-ink-3">{t('server.tools.noMatch')}</p>}
        {found.map(({ key: group, title, offers }) => (
          <section key={group} className="mb-2.5 first:[&>h2]:pt-1">
            <h2 className="flex items-center justify-between px-2 pb-[3px] text-[11.5px] leading-5 font-normal text-ink-3">
              <span className="flex text-[12px] font-medium text-ink-2 [&>*]:text-[12px] [&>*]:leading-5">{title}</span>
              <span>{offers.length}</span>
            </h2>
            <ul>
              {offers.map((offer) => (
                <li key={offer.key}>
                  <Row offer={offer} open={offer.key === open} tabIndex={offer.key === stop ? 0 : -1} onOpen={onOpen} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

interface RowProps {
  offer: Offer
  open: boolean
  tabIndex: number
  onOpen: (key: string) => void
}

function Row({ offer, open, tabIndex, onOpen }: RowProps) {
  return (
    <button
      type="button"
      data-offer={offer.key}
      tabIndex={tabIndex}
      aria-current={open || undefined}
      onClick={() => onOpen(offer.key)}
      onFocus={() => open || onOpen(offer.key)}
      className={clsx(
        'flex h-[27px] w-full items-center gap-1.5 rounded-control px-2 text-left text-small',
        open ? 'bg-selected font-medium' : 'hover:bg-hover',
      )}
    >
      <span
        title={offer.name}
        className={clsx('mono min-w-0 flex-1 truncate', offer.struck && 'text-ink-3 line-through')}
      >
        {offer.name}
      </span>
      {offer.mark}
    </button>
  )
}
