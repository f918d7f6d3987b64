# The executable holds everything, so the image that runs has nothing beside it but the C library that Bun is linked to. Nothing is run in
# that image while it is built, and so one machine builds it for every processor. Both names take a digest (`…@sha256:…`).
ARG BUILD_IMAGE=docker.io/oven/bun:1.4.4-debian
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /latchkey
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY tsconfig.json ./
COPY public public
COPY migrations migrations
COPY islands islands
COPY src src
RUN bun src/build/assets.ts
# The baseline runs on every x64 processor, those without AVX2 too.
ARG TARGETARCH=amd64
RUN case "$TARGETARCH" in amd64) machine=x64-baseline ;; *) machine="$TARGETARCH" ;; esac \
  && bun src/build/executable.ts --target "bun-linux-$machine" \
  && mkdir data

FROM ${RUNTIME_IMAGE}
COPY --from=build /latchkey/build/latchkey /usr/local/bin/latchkey
# A number, not a name: so Kubernetes sees that it is not root, and a folder of the host is given to it by `chown 10001:10001`.
COPY --from=build --chown=10001:10001 /latchkey/data /data
USER 10001:10001
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["latchkey", "healthcheck"]
ENTRYPOINT ["latchkey"]
CMD ["serve"]
