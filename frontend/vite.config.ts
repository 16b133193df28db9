/// <reference types="vitest/config" />
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Puts back the empty file that keeps dist/ in the repository: Go embeds the folder even before the first build. */
function keepDist(): Plugin {
  return {
    name: 'keep-dist',
    apply: 'build',
    closeBundle: () => writeFileSync(here('./dist/.gitkeep'), ''),
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), keepDist()],
  resolve: { alias: { '@': here('./src') } },
  build: {
    target: 'safari15',
    // Lightning CSS would rewrite what Tailwind already lowered; esbuild is not installed.
    cssTarget: 'safari16.4',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { '/api': process.env.APOLLIA_URL ?? 'http://127.0.0.1:7433' } },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
  },
})
