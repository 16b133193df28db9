import clsx from 'clsx'
import type { ComponentPropsWithRef, ReactNode } from 'react'

export function Card({ className, ...rest }: ComponentPropsWithRef<'div'>) {
  return <div {...rest} className={clsx('rounded-card border border-line bg-surface shadow-card', className)} />
}

/** A card whose children are rows with a hairline between them. */
export function CardList({ className, ...rest }: ComponentPropsWithRef<'div'>) {
  return <Card {...rest} className={clsx('[&>*+*]:border-t [&>*+*]:border-line-subtle', className)} />
}

export interface SectionTitleProps {
  children: ReactNode
  note?: ReactNode
  mark?: ReactNode
  id?: string
}

/** The small title above a card. */
export function SectionTitle({ children, note, mark, id }: SectionTitleProps) {
  return (
    <h2 id={id} className="mx-0.5 mt-4 mb-1.5 flex items-center gap-2 text-small font-medium text-ink-2 first:mt-0">
      {mark}
      {children}
      {note !== undefined && <span className="font-normal text-ink-3">{note}</span>}
    </h2>
  )
}
