import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["kit/src/**/*.test.ts", "apps/*/src/**/*.test.ts"], environment: "node" },
});
