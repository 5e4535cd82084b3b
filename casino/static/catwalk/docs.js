// The schema of the REST API as a page. A token that is tried stays in this page: nothing is stored, nothing is asked elsewhere.
"use strict";
(() => {
  const here = document.querySelector("#swagger"), dark = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", shade);
  shade();
  SwaggerUIBundle({
    url: here.dataset.schema, domNode: here, presets: [SwaggerUIBundle.presets.apis], layout: "BaseLayout", deepLinking: true,
    validatorUrl: null, persistAuthorization: false, filter: true, docExpansion: "list", defaultModelsExpandDepth: 0, displayRequestDuration: true,
  });
})();
