import js from '@eslint/js'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

/** The layers of docs/architecture.md §9: who may import whom. Areas are imported by "@/", neighbours by "./". */
const everywhere = [
  { group: ['@/features/*/*'], message: 'Features meet only at their index.ts.' },
  { group: ['../../*'], message: 'Import another area by "@/".' },
]
const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns: [...everywhere, ...patterns] }] })
const noApp = { group: ['@/app', '@/app/*', '@/routes/*'], message: 'Only app/ and routes/ put the parts together.' }
const wire = ['fetch', 'EventSource', 'XMLHttpRequest'].map((name) => ({
  name,
  message: 'Only lib/api knows the API.',
}))

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/lib/api/schema.d.ts'] },
  js.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}', 'vite.config.ts'],
    extends: [tseslint.configs.strictTypeChecked, jsxA11y.flatConfigs.strict],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { globals: globals.browser, parserOptions: { project: './tsconfig.json' } },
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.name=/^use(Layout)?Effect$/] > ArrowFunctionExpression[body.type="ChainExpression"]',
          message: 'An effect that returns what a method gave takes it for its clean-up; newer browsers give promises.',
        },
      ],
      ...reactHooks.configs.recommended.rules,
      ...restrict(),
      'no-restricted-globals': ['error', ...wire],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/only-throw-error': 'off', // the router's redirect() and notFound() are thrown by design
      'max-lines': ['error', 400],
    },
  },
  { files: ['src/**/*.tsx'], rules: { 'max-lines': ['error', 200] } },
  { files: ['src/lib/api/**'], rules: { 'no-restricted-globals': 'off' } },
  { files: ['src/lib/**'], rules: restrict(noApp, { group: ['@/features/*', '@/ui/*', '@/ui'] }) },
  {
    files: ['src/ui/**'],
    rules: restrict(noApp, {
      group: ['@/features/*', '@/lib/api', '@/lib/api/*', 'i18next', 'react-i18next', '@/lib/i18n'],
      message: 'The kit has no feature, no API and no text: pass words as props.',
    }),
  },
  { files: ['src/features/**'], rules: restrict(noApp) },
  {
    files: ['src/**/*.test.{ts,tsx}', 'src/testing/**'],
    rules: { 'max-lines': 'off', 'no-restricted-globals': 'off' },
  },
  {
    files: ['e2e/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { globals: globals.node, parserOptions: { project: './e2e/tsconfig.json' } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }], // how Playwright's fixtures say "none"
      'max-lines': ['error', 400],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
)
