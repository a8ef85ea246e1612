{
  description = "Changelogs, versions and releases from the commits of a git repository";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = nixpkgs.lib.genAttrs systems;
    in {
      packages = each (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "tidings";
            version = (nixpkgs.lib.importTOML ./Cargo.toml).package.version;
            src = self;
            cargoLock.lockFile = ./Cargo.lock;
            buildType = "dist";
            nativeBuildInputs = [ pkgs.installShellFiles ];
            nativeCheckInputs = [ pkgs.git ];
            postInstall = ''
              $out/bin/tidings man --dir man
              installManPage man/*.1
              installShellCompletion --cmd tidings \
                --bash <($out/bin/tidings completions bash) \
                --zsh <($out/bin/tidings completions zsh) \
                --fish <($out/bin/tidings completions fish)
            '';
            meta = {
              license = with nixpkgs.lib.licenses; [ mit asl20 ];
              mainProgram = "tidings";
            };
          };
        });
    };
}
