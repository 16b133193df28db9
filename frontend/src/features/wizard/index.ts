export { EditWizard, TestPage, Wizard } from './Wizard'
