import { ChevronRight, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { networkKeys, useAnnounce } from '@/features/network'
import { useSetting } from '@/features/settings'
import { ConfigFileBadge, useFailureWords } from '@/features/vocabulary'
import type { Announcement } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Switch, useToast } from '@/ui'
import { PreferenceRow } from './PreferenceRow'
import { VisibleFacts } from './VisibleFacts'

/** A server that a person shows to the network: since when, or why it is not seen. */
export function AnnouncedRow({ announced }: { announced: Announcement }) {
  const { t } = useTranslation()
  const lang = useLang()
  const toast = useToast()
  const words = useFailureWords()
  const nameOf = useServerName()
  const announce = useAnnounce()
  const { setting, fixed } = useSetting(networkKeys.announce)
  const [open, setOpen] = useState(false)
  const name = nameOf(announced.server)
  return (
    <PreferenceRow
      icon={Megaphone}
      name={t('preferences.announced.name', { name })}
      note={
        announced.problem ? (
          <span className="text-attn-text">{words(announced.problem).what}</span>
        ) : (
          t('preferences.announced.since', { when: formatWhen(announced.since ?? '', lang) })
        )
      }
      {...(open && !announced.problem ? { below: <VisibleFacts of={announced} /> } : {})}
    >
      {!announced.problem && (
        <Button small look="ghost" icon={ChevronRight} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('preferences.announced.facts')}
        </Button>
      )}
      {fixed && <ConfigFileBadge line={setting?.line} />}
      <Switch
        on
        inactive={fixed}
        label={t('preferences.announced.name', { name })}
        onChange={() =>
          announce.mutate(
            { server: announced.server, on: false },
            { onError: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }) },
          )
        }
      />
    </PreferenceRow>
  )
}
