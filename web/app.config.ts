import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type UserConfig } from "vite";

/** How every app is built: fixed file names, one script, one style sheet, fonts beside them, nothing from the network. */
export function appConfig(app: string): UserConfig {
  const web = fileURLToPath(new URL(".", import.meta.url));
  return defineConfig({
    root: `${web}apps/${app}`,
    base: "./",
    publicDir: `${web}kit/public`,
    plugins: [react(), preloadFonts()],
    build: {
      outDir: `${web}dist/${app}`,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: false,
      sourcemap: false,
      target: "es2023",
      chunkSizeWarningLimit: 1500,
      license: { fileName: "licences.md" },
      rollupOptions: {
        output: {
          codeSplitting: false,
          entryFileNames: "app.js",
          assetFileNames: (asset) =>
            asset.names.some((name) => name.endsWith(".css")) ? "app.css" : "fonts/[name][extname]",
        },
      },
    },
  });
}

/** Lets the page fetch its fonts while the script still loads; it waits for them before it draws anything. */
function preloadFonts(): Plugin {
  const link = (href: string) => ({
    tag: "link",
    attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href },
    injectTo: "head" as const,
  });
  return {
    name: "preload-fonts",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => name.endsWith(".woff2"))
          .sort()
          .map((name) => link(`./${name}`)),
    },
  };
}
