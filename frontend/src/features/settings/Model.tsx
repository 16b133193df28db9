import { useTranslation } from 'react-i18next'
import { Combobox, Field, NumberInput, TextInput } from '@/ui'
import { endpointOf } from './endpoint'
import { ModelKey } from './ModelKey'
import { ModelState } from './ModelState'
import { textsPerHour } from './numbers'
import { useCheckModel } from './queries'
import { isInFile } from './SettingRow'
import { useTypedNumber } from './useTypedNumber'
import { useTypedText } from './useTypedText'

/** The endpoint that answers servers that ask for a text. */
export function Model() {
  const check = useCheckModel()
  return (
    <>
      <div className="grid grid-cols-2 gap-x-3 gap-y-3 px-3.5 py-3 max-sm:grid-cols-1">
        <Address />
        <Name models={check.data?.models ?? []} />
        <ModelKey onChange={check.reset} />
        <PerHour />
      </div>
      <ModelState check={check} />
    </>
  )
}

/** What the file says is changed there. */
function useFixed(setting: ReturnType<typeof useTypedText>['setting']) {
  const { t } = useTranslation()
  return setting && isInFile(setting) ? { help: t('settings.fixed', { line: setting.line }) } : {}
}

function Address() {
  const { t } = useTranslation()
  const { setting, type, field } = useTypedText('model.base_url', endpointOf)
  return (
    <div data-setting="model.base_url">
      <Field label={t('settings.model.address')} {...useFixed(setting)}>
        {(control) => (
          <TextInput
            {...control}
            {...field}
            code
            title={setting?.value}
            placeholder="127.0.0.1:11434/v1"
            onChange={(event) => type(event.target.value)}
          />
        )}
      </Field>
    </div>
  )
}

function Name({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const { setting, type, field } = useTypedText('model.name')
  return (
    <div data-setting="model.name">
      <Field label={t('settings.model.name')} {...useFixed(setting)}>
        {(control) => <Combobox {...control} {...field} suggestions={models} onChange={type} />}
      </Field>
    </div>
  )
}

function PerHour() {
  const { t } = useTranslation()
  const { setting, isOut, field } = useTypedNumber(textsPerHour)
  const { min, max } = textsPerHour
  return (
    <div data-setting={textsPerHour.key}>
      <Field
        label={t('settings.model.perHour')}
        {...useFixed(setting)}
        {...(isOut ? { error: t('settings.numbers.bounds', { min, max }) } : {})}
      >
        {(control) => <NumberInput {...control} {...field} />}
      </Field>
    </div>
  )
}
