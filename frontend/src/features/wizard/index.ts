export { EditWizard, Wizard } from './Wizard'
