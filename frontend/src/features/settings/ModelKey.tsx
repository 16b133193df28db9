import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { passFocus } from '@/lib/focus'
import { Field, IconButton, SecretInput, useToast } from '@/ui'
import { isOwn } from './endpoint'
import { onEnter } from './onEnter'
import { useChangeModelKey } from './queries'
import { useSetting } from './useSetting'

/** The key of the model: typed here, kept in the secret store, and never shown again. */
export function ModelKey({ onChange }: { onChange: () => void }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const address = useSetting('model.base_url').value
  const state = useSetting('model.key').setting?.secret ?? 'none'
  const [typed, setTyped] = useState('')
  const change = useChangeModelKey({
    onFailed: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }),
  })
  const field = useRef<HTMLInputElement>(null)
  const keep = (key: string) => {
    onChange()
    change.mutate(key, { onSuccess: () => setTyped('') })
  }
  const forget = (button: Element) => {
    onChange()
    change.mutate(undefined, { onSuccess: () => passFocus(button, field.current) })
  }
  const take = () => {
    if (typed.trim() !== '' && !change.isPending) keep(typed.trim())
  }
  const none = isOwn(address) ? t('settings.model.noKeyLocal') : t('settings.model.noKey')
  const placeholder =
    address === '' ? t('settings.model.addressFirst') : state === 'kept' ? t('settings.model.kept') : none
  return (
    <div data-setting="model.key">
      <Field
        label={t('settings.model.key')}
        {...(state === 'elsewhere' ? { help: t('settings.model.elsewhere') } : {})}
      >
        {(control) => (
          <div className="flex items-center gap-1">
            <SecretInput
              {...control}
              ref={field}
              bare
              readOnly={address === ''}
              value={typed}
              onChange={setTyped}
              placeholder={placeholder}
              showLabel={t('wizard.secret.show')}
              onBlur={take}
              onKeyDown={onEnter(take)}
              className="placeholder:font-sans"
              frameClassName="flex-1"
            />
            {state !== 'none' && (
              <IconButton
                icon={X}
                label={t('settings.model.forget')}
                onClick={({ currentTarget }) => forget(currentTarget)}
              />
            )}
          </div>
        )}
      </Field>
    </div>
  )
}
