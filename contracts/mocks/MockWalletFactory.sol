// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {MockContractWallet} from "./MockContractWallet.sol";

/// @title MockWalletFactory
/// @notice Deploys contract wallets at addresses that are known before (ERC-6492).
contract MockWalletFactory {
    function deploy(address[] calldata owners) external returns (address) {
        return address(new MockContractWallet{salt: 0}(owners));
    }

    function walletOf(address[] calldata owners) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(MockContractWallet).creationCode, abi.encode(owners)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), code)))));
    }
}
