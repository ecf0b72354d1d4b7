import { defineConfig, type Plugin } from "vite";

/** The board's picture is drawn by our own style sheet: Shudan's need not be shipped. */
const withoutPicture: Plugin = {
  name: "without-picture",
  enforce: "pre",
  transform(code, id) {
    return id.endsWith("goban.css") ? code.replace(/url\([^)]*\)/g, "none") : null;
  },
};

// Names without hashes: a rebuilt page differs from the committed one only where its sources do.
export default defineConfig({
  base: "/",
  plugins: [withoutPicture],
  build: {
    outDir: "../src/montego/web/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 4096,
    rollupOptions: {
      output: {
        entryFileNames: "montego.js",
        chunkFileNames: "[name].js",
        assetFileNames: "montego[extname]",
      },
    },
  },
});
