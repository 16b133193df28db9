import clsx from 'clsx'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fold } from '@/features/connexions'
import { moveFocus } from '@/lib/roving'
import { TextInput } from '@/ui'

export interface Offer {
  /** What tells it apart: an address, a template, a name. */
  key: string
  name: string
  /** A second thing to find it by. */
  more: string
}

export interface OfferGroup {
  title: string
  offers: readonly Offer[]
}

export interface OfferListProps {
  label: string
  groups: readonly OfferGroup[]
  open: string | undefined
  onOpen: (key: string) => void
}

/** Resources or prompts in groups, with a filter; arrows move. */
export function OfferList({ label, groups, open, onOpen }: OfferListProps) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const wanted = fold(filter)
  const found = groups
    .map(({ title, offers }) => ({
      title,
      offers: offers.filter(({ name, more }) => fold(`${name} ${more}`).includes(wanted)),
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
          aria-label={t('server.filter')}
          placeholder={t('server.filter')}
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
        {found.map(({ title, offers }) => (
          <section key={title} className="mb-2.5 first:[&>h2]:pt-1">
            <h2 className="flex justify-between px-2 pb-[3px] text-[12px] leading-5 font-medium text-ink-2">
              {title} <span className="text-[11.5px] font-normal text-ink-3">{offers.length}</span>
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
      data-offer
      tabIndex={tabIndex}
      aria-current={open || undefined}
      onClick={() => onOpen(offer.key)}
      onFocus={() => open || onOpen(offer.key)}
      className={clsx(
        'flex h-[27px] w-full items-center rounded-control px-2 text-left text-small',
        open ? 'bg-selected font-medium' : 'hover:bg-hover',
      )}
    >
      <span title={offer.name} className="mono truncate">
        {offer.name}
      </span>
    </button>
  )
}
