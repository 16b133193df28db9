import { BooleanFieldView, ChoiceFieldView, ChoicesFieldView, ConstantFieldView } from './ChoiceFields'
import type { FieldViewProps } from './fieldProps'
import { JsonFieldView } from './JsonFieldView'
import { ListFieldView } from './ListFieldView'
import { ObjectFieldView } from './ObjectFieldView'
import { fits } from './schemaValue'
import { NumberFieldView, TextFieldView } from './TextFields'
import { VariantFieldView } from './VariantFieldView'

/** The widget of a field, or the JSON of a value that the widget could not show without losing something. */
export function FieldView(props: FieldViewProps) {
  const { field, value } = props
  if (value === null && field.kind !== 'variant') return <JsonFieldView {...props} />
  // Half-typed numbers are texts until they are numbers.
  const typing = field.kind === 'number' && typeof value === 'string'
  if (!typing && !fits(field, value)) return <JsonFieldView {...props} />
  switch (field.kind) {
    case 'text':
      return <TextFieldView {...props} field={field} />
    case 'number':
      return <NumberFieldView {...props} field={field} />
    case 'boolean':
      return <BooleanFieldView {...props} />
    case 'choice':
      return <ChoiceFieldView {...props} field={field} />
    case 'choices':
      return <ChoicesFieldView {...props} field={field} />
    case 'list':
      return <ListFieldView {...props} field={field} />
    case 'object':
      return <ObjectFieldView {...props} field={field} />
    case 'variant':
      return <VariantFieldView {...props} field={field} />
    case 'constant':
      return <ConstantFieldView {...props} field={field} />
    case 'json':
      return <JsonFieldView {...props} />
  }
}
